#include "lstm/simd/schedule.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_format.h"

namespace earshot {
namespace {

constexpr int kWarmUpCalls = 2;  // one with each team size
// Up to these factors between two calls, a frame is as much work in either: fewer utterances a step fill the tiles
// less, and what a call costs once is spread over its frames.
constexpr double kAlikeFramesAStep = 1.1, kAlikeFrames = 1.5;
// Threads that wait for each other at every step suffer from every disturbance; a trial of some seconds sees few.
constexpr double kClearlyFaster = 0.95;

bool Alike(double a, double b, double factor) { return a <= factor * b && b <= factor * a; }

}  // namespace

void MakeSchedule(const Packing& packing, int directions, int threads, int team_size, Schedule* schedule) {
  schedule->team_size = team_size;
  schedule->teams = std::max(1, threads / team_size);
  const int batch = packing.batch();
  const int parts = std::min(batch, schedule->teams / std::gcd(directions, schedule->teams));
  schedule->parts.clear();
  for (int d = 0; d < directions; ++d) {
    int begin = 0;
    int64_t frames = 0;
    for (int b = 0, k = 1; b < batch; ++b) {
      frames += packing.lengths()[b];
      // Part k ends where its share of the frames is reached, but the parts after it need an utterance each.
      const bool full = frames * parts >= packing.rows() * k || batch - b - 1 == parts - k;
      if (!full && b + 1 < batch) continue;
      schedule->parts.push_back({d, begin, b + 1});
      begin = b + 1;
      ++k;
    }
  }
}

void ScheduleTrial::Record(int64_t frames, int64_t steps, double seconds) {
  if (done_) return;
  const Call call = {double(frames), double(frames) / double(steps), seconds / double(frames)};
  const Call& other = last_[1 - calls_ % 2];
  last_[calls_ % 2] = call;
  if (++calls_ < kWarmUpCalls + 2) return;
  done_ = Alike(call.frames_a_step, other.frames_a_step, kAlikeFramesAStep) &&
          Alike(call.frames, other.frames, kAlikeFrames);
  best_ = done_ && last_[1].seconds < kClearlyFaster * last_[0].seconds ? 2 : 1;
}

std::string ScheduleTrial::Result() const {
  if (!done_ || calls_ == 0) return "";
  return absl::StrFormat("%s a part (%.3g against %.3g us a frame)", best_ == 1 ? "one thread" : "two threads",
                         last_[best_ - 1].seconds * 1e6, last_[2 - best_].seconds * 1e6);
}

}  // namespace earshot
