#include "lstm/simd/schedule.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_format.h"

namespace earshot {
namespace {

constexpr int kWarmUpCalls = 2;  // one with each team size
constexpr int kTrialCalls = 4;   // these included
// Threads that wait for each other at every step suffer from every disturbance; a trial of some seconds sees few.
constexpr double kClearlyFaster = 0.95;

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

void ScheduleTrial::Record(double seconds) {
  if (done_) return;
  double& best = seconds_[team_size() - 1];
  if (calls_ >= kWarmUpCalls) best = best == 0 ? seconds : std::min(best, seconds);
  if (++calls_ < kTrialCalls) return;
  best_ = seconds_[1] < kClearlyFaster * seconds_[0] ? 2 : 1;
  done_ = true;
}

std::string ScheduleTrial::Result() const {
  if (!done_ || calls_ == 0) return "";
  return absl::StrFormat("%s a part (%.3g against %.3g us a frame)", best_ == 1 ? "one thread" : "two threads",
                         seconds_[best_ - 1] * 1e6, seconds_[2 - best_] * 1e6);
}

}  // namespace earshot
