// Runs another program without a shell: an argument vector, its output, a time limit.
#ifndef EARSHOT_DATA_SUBPROCESS_H_
#define EARSHOT_DATA_SUBPROCESS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace earshot {

struct SubprocessOptions {
  double timeout_seconds = 20;
  int64_t max_output_bytes = 64 << 20;
  std::string directory;                    // in which it runs; empty: this program's
  const std::atomic<bool>* stop = nullptr;  // the program has to end as soon as this is true: killed with its group, or
  // Asked by SIGTERM, whereupon it ends cleanly with kStopped. It is asked, too, when the calling thread ends, be it
  // killed. Such a program has to be given as a path.
  bool stops_cleanly = false;
};

constexpr int kStopped = 75;  // exit code of a program that was stopped and can go on (EX_TEMPFAIL; //asr:train)

// What `arguments[0]` (a path, or a name looked up in PATH) with the other arguments writes to its standard output. Its
// input is empty; it leads a process group of its own. Thread-safe. Errors are one line and name the program: NotFound
// when there is none, DeadlineExceeded when it takes too long and ResourceExhausted for too much output (the whole
// group is killed), Cancelled when it was stopped, Internal with the start of what it
// wrote to its standard error when it does not exit with 0.
absl::StatusOr<std::string> RunProgram(const std::vector<std::string>& arguments,
                                       const SubprocessOptions& options = {});

}  // namespace earshot

#endif  // EARSHOT_DATA_SUBPROCESS_H_
