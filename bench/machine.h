// What a record says about the machine that it was made on.
#ifndef EARSHOT_BENCH_MACHINE_H_
#define EARSHOT_BENCH_MACHINE_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "bench/bench.pb.h"

namespace earshot {

// The record of a run, from its start to Finish.
class MachineRecorder {
 public:
  explicit MachineRecorder(int threads);
  // Adds what happened since the start: load, time stolen, other programs.
  MachineRecord Finish();

 private:
  struct Clocks {
    double wall = 0, busy = 0, steal = 0, own = 0;  // seconds; busy and steal over all CPUs
  };
  static Clocks ReadClocks();

  MachineRecord record_;
  Clocks start_;
};

// Whether other programs or the host took more than a twentieth of the cores during the run.
bool Disturbed(const MachineRecord& machine);

// "2 threads"; "threads differ by point" where the record says none: its points have different numbers of them.
std::string ThreadsText(const MachineRecord& machine);

// Memory that this process may still take without swapping, in bytes: the smaller of the machine's and the control
// group's.
int64_t AvailableMemory();

// The commit that is checked out in the work tree at `directory`, read from git's own files; empty when there is none.
std::string CheckedOutCommit(const std::string& directory);

// The value of the first line "key : value" of a text as in /proc/cpuinfo; empty when there is none.
std::string ValueOf(absl::string_view text, absl::string_view key);

}  // namespace earshot

#endif  // EARSHOT_BENCH_MACHINE_H_
