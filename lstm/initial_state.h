// The state before an utterance's first step, and the gradient by it: as LstmInput and Lstm::Backward (lstm.h) say.
#ifndef EARSHOT_LSTM_INITIAL_STATE_H_
#define EARSHOT_LSTM_INITIAL_STATE_H_

#include <cstdint>

#include "lstm/lstm.h"
#include "lstm/lstm_params.h"

namespace earshot {

// h0 or c0 [H] of utterance b: the one given, else the trainable one, else null, which is 0.
inline const float* InitialState(TensorView<const float, 3> given, const float* trainable, int direction, int64_t b) {
  return given.empty() ? trainable : &given(direction, b, 0);
}

// Books the gradient of utterance b by c0, dc [H], and by the h0 that the first recurrent product multiplied, dh [H]
// (before the recurrent mask): adds it to the trainable state's where that was used, and writes it to `dinitial` where
// that is asked for.
void AddInitialGradient(const LstmInput& in, const LstmDirectionParams<float>& dp, int direction, int64_t b,
                        int64_t hidden, const float* dh, const float* dc, LstmState* dinitial);

}  // namespace earshot

#endif  // EARSHOT_LSTM_INITIAL_STATE_H_
