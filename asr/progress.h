// What a person sees while training: on a terminal one line that redraws itself, elsewhere a plain line now and then.
#ifndef EARSHOT_ASR_PROGRESS_H_
#define EARSHOT_ASR_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#include "absl/strings/string_view.h"

namespace earshot {

struct ProgressState {
  int64_t epoch = 0, epochs = 1;  // counted from 0
  int64_t step = 0, steps = 1;    // of the epoch: done, in all
  double done = 0;                // share of the whole run, in [0, 1]
  double loss = 0;                // mean of the epoch so far
  int64_t frames = 0;             // since the last call
};

class Progress {
 public:
  // `stream` is stderr. With `quiet` only Warn writes.
  explicit Progress(FILE* stream, bool quiet = false);
  ~Progress();

  // After each step. On a terminal redraws at most ten times a second; elsewhere prints a line every 30 seconds.
  void Update(const ProgressState& state);
  // A line of its own that stays, above the bar where there is one.
  void Print(absl::string_view line);
  // The same for what must be seen.
  void Warn(absl::string_view line);

 private:
  std::string Line(const ProgressState& state) const;
  void EraseBar();

  FILE* const stream_;
  const bool quiet_, terminal_, unicode_;
  bool bar_shown_ = false;
  std::chrono::steady_clock::time_point last_update_, last_draw_, start_;
  double start_done_ = -1;             // share done at the first call (a resumed run does not start at 0)
  double frames_per_second_ = 0;       // exponential moving average
};

// 65 -> "1:05", 3725 -> "1:02:05".
std::string FormatDuration(double seconds);

}  // namespace earshot

#endif  // EARSHOT_ASR_PROGRESS_H_
