// A process that answers requests (bench/peer.proto) and is stopped (SIGSTOP) whenever it does not work on one: waiting
// threads of a framework spin, and would disturb whoever is measured meanwhile.
#ifndef EARSHOT_BENCH_PEER_PROCESS_H_
#define EARSHOT_BENCH_PEER_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "bench/peer.pb.h"

namespace earshot {

class PeerProcess {
 public:
  // command[0] is a path. The process leads a group of its own, reads requests from its standard input and answers on
  // its standard output. It ends when this program does. NotFound when there is no such program.
  static absl::StatusOr<std::unique_ptr<PeerProcess>> Start(const std::vector<std::string>& command);
  ~PeerProcess();  // kills the group
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  // Wakes the process, sends the request and `floats`, waits for the answer, writes what follows it to *reply_floats
  // (may be null: then nothing may follow) and stops the process again. Errors: Internal when the process says that it
  // failed or has ended, with the last lines of its standard error; Unimplemented when it says unsupported;
  // DeadlineExceeded; DataLoss for an answer that is none. After the last two and an end, it is killed and stays so.
  absl::StatusOr<PeerReply> Call(PeerRequest request, absl::Span<const float> floats, double timeout_seconds,
                                 std::vector<float>* reply_floats);

  pid_t pid() const { return pid_; }

 private:
  PeerProcess(pid_t pid, int socket, int error) : pid_(pid), socket_(socket), error_(error) {}
  // The answer's line and floats.
  absl::Status Exchange(const std::vector<absl::string_view>& parts, double timeout_seconds, PeerReply* reply,
                        std::vector<float>* reply_floats);
  void ReadErrors();
  absl::Status Ended();  // how, and its last words
  void Stop();
  void Kill();

  const pid_t pid_;
  const int socket_;  // requests and answers
  const int error_;   // its standard error
  std::string last_errors_;
  bool alive_ = true;
};

}  // namespace earshot

#endif  // EARSHOT_BENCH_PEER_PROCESS_H_
