// Who computes what in a recurrence: parts (utterances of one direction, independent of each other) are dealt to teams
// of one or two threads. The two of a team share each step, half of the units each, with a barrier a step.
#ifndef EARSHOT_LSTM_SIMD_SCHEDULE_H_
#define EARSHOT_LSTM_SIMD_SCHEDULE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/packing.h"

namespace earshot {

struct Part {
  int direction = 0;
  int begin = 0, end = 0;  // utterances
};

struct Schedule {
  int team_size = 1;
  int teams = 1;
  std::vector<Part> parts;  // part k is team (k % teams)'s
};

// Cuts a batch for `threads` threads in teams of `team_size`: as few parts as give every team the same number of them,
// of about the same number of frames each.
void MakeSchedule(const Packing& packing, int directions, int threads, int team_size, Schedule* schedule);

// Finds out which team size is faster here: calls take turns until two in a row are alike enough to be compared; then
// the faster one stays, two threads only if that is clear. Either gives the same bits.
class ScheduleTrial {
 public:
  explicit ScheduleTrial(int threads) : done_(threads == 1) {}

  int team_size() const { return done_ ? best_ : 1 + calls_ % 2; }
  // What a call with this team size took for a batch of so many frames and steps.
  void Record(int64_t frames, int64_t steps, double seconds);
  // "one thread a part (12.1 against 13.4 us a frame)"; empty before it is decided, or with nothing to decide.
  std::string Result() const;

 private:
  struct Call {
    double frames = 0, frames_a_step = 0;
    double seconds = 0;  // a frame
  };

  bool done_;
  int best_ = 1;
  int calls_ = 0;
  Call last_[2];  // with one thread a part, and with two
};

}  // namespace earshot

#endif  // EARSHOT_LSTM_SIMD_SCHEDULE_H_
