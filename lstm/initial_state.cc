#include "lstm/initial_state.h"

namespace earshot {

void AddInitialGradient(const LstmInput& in, const LstmDirectionParams<float>& dp, int direction, int64_t b,
                        int64_t hidden, const float* dh, const float* dc, LstmState* dinitial) {
  const bool trainable = dp.h0 != nullptr && in.h0.empty();
  const float* const mask = in.recurrent_mask.empty() ? nullptr : &in.recurrent_mask(direction, b, 0);
  for (int64_t u = 0; u < hidden; ++u) {
    const float by_h = mask == nullptr ? dh[u] : dh[u] * mask[u];
    if (trainable) {
      dp.h0[u] += by_h;
      dp.c0[u] += dc[u];
    }
    if (dinitial == nullptr) continue;
    dinitial->h.view()(direction, b, u) = by_h;
    dinitial->c.view()(direction, b, u) = dc[u];
  }
}

}  // namespace earshot
