#include "bench/peer_process.h"

#include <fcntl.h>
#include <google/protobuf/util/json_util.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMaxLine = 1 << 16, kMaxErrors = 1500;  // bytes
constexpr int64_t kMaxFloats = 1 << 29;
constexpr int kCannotStart = 127;  // exit code, as a shell's

// Becomes the program, as the leader of a new process group that dies with this one (a stopped process would not notice
// that its requests have ended). Only calls that are allowed between fork and exec.
[[noreturn]] void Exec(char* const* argv, int socket, int error, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kCannotStart);
  setpgid(0, 0);
  if (dup2(socket, STDIN_FILENO) >= 0 && dup2(socket, STDOUT_FILENO) >= 0 && dup2(error, STDERR_FILENO) >= 0) {
    execv(argv[0], argv);
  }
  _exit(kCannotStart);
}

absl::string_view Bytes(absl::Span<const float> floats) {
  return {reinterpret_cast<const char*>(floats.data()), floats.size() * sizeof(float)};
}

// Sends what the socket takes at once.
void Send(int socket, std::vector<absl::string_view>* parts) {
  while (!parts->empty()) {
    absl::string_view& part = parts->front();
    const ssize_t sent = part.empty() ? 0 : send(socket, part.data(), part.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) return;  // full; or the other side is gone, as reading will tell
    part.remove_prefix(sent);
    if (part.empty()) parts->erase(parts->begin());
  }
}

// True when `received` is the whole answer: a line, which becomes *reply, and its floats.
absl::StatusOr<bool> ParseAnswer(const std::string& received, PeerReply* reply) {
  const size_t line_end = received.find('\n');
  if (line_end == std::string::npos) {
    if (received.size() <= kMaxLine) return false;
    return absl::DataLossError(absl::StrCat("answers ", kMaxLine, " bytes without the end of a line"));
  }
  const std::string line = received.substr(0, line_end);
  reply->Clear();
  if (!google::protobuf::util::JsonStringToMessage(line, reply).ok()) {
    return absl::DataLossError(absl::StrCat("answers \"", absl::CHexEscape(line.substr(0, 100)), "\", expected JSON"));
  }
  if (reply->floats() < 0 || reply->floats() > kMaxFloats) {
    return absl::DataLossError(absl::StrCat("answers with ", reply->floats(), " floats"));
  }
  const size_t whole = line_end + 1 + reply->floats() * sizeof(float);
  if (received.size() > whole) {
    return absl::DataLossError(absl::StrCat("answers ", received.size() - whole, " bytes too many"));
  }
  return received.size() == whole;
}

}  // namespace

absl::StatusOr<std::unique_ptr<PeerProcess>> PeerProcess::Start(const std::vector<std::string>& command) {
  CHECK(!command.empty());
  if (access(command[0].c_str(), X_OK) != 0) return absl::NotFoundError(absl::StrCat(command[0], ": no such program"));
  std::vector<char*> argv;
  for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  int sockets[2] = {-1, -1}, errors[2] = {-1, -1};
  pid_t pid = -1;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0 && pipe2(errors, O_CLOEXEC) == 0) {
    const pid_t self = getpid();
    pid = fork();
    if (pid == 0) Exec(argv.data(), sockets[1], errors[1], self);
  }
  const int error = errno;
  for (int fd : {sockets[1], errors[1]}) close(fd);
  if (pid > 0) {
    setpgid(pid, pid);  // whoever of the two is first
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    return std::unique_ptr<PeerProcess>(new PeerProcess(pid, sockets[0], errors[0]));
  }
  for (int fd : {sockets[0], errors[0]}) close(fd);
  return absl::InternalError(absl::StrCat(command[0], ": cannot start: ", std::strerror(error)));
}

PeerProcess::~PeerProcess() {
  Kill();
  close(socket_);
  close(error_);
}

void PeerProcess::Kill() {
  if (!alive_) return;
  alive_ = false;
  kill(-pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// Returns when it no longer runs: a signal takes its time.
void PeerProcess::Stop() {
  if (!alive_) return;
  kill(-pid_, SIGSTOP);
  siginfo_t info = {};
  while (waitid(P_PID, pid_, &info, WSTOPPED | WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

void PeerProcess::ReadErrors() {
  char buffer[4096];
  for (ssize_t bytes; (bytes = read(error_, buffer, sizeof(buffer))) > 0;) last_errors_.append(buffer, bytes);
  if (last_errors_.size() > kMaxErrors) last_errors_.erase(0, last_errors_.size() - kMaxErrors);
}

absl::Status PeerProcess::Ended() {
  kill(-pid_, SIGKILL);  // it may only have closed its output
  alive_ = false;
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  ReadErrors();
  const std::string how = WIFEXITED(status) ? absl::StrCat("exited with ", WEXITSTATUS(status))
                                            : absl::StrCat("was ended by signal ", WTERMSIG(status));
  const absl::string_view words = absl::StripAsciiWhitespace(last_errors_);
  return absl::InternalError(absl::StrCat("its process ", how, words.empty() ? "" : ": ", absl::CHexEscape(words)));
}

absl::Status PeerProcess::Exchange(const std::vector<absl::string_view>& parts, double timeout_seconds,
                                   PeerReply* reply, std::vector<float>* reply_floats) {
  const Clock::time_point deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout_seconds));
  std::vector<absl::string_view> to_send = parts;
  std::string received;
  std::vector<char> buffer(1 << 20);
  for (bool done = false; !done;) {
    Send(socket_, &to_send);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return absl::DeadlineExceededError(absl::StrCat("no answer within ", timeout_seconds, " s"));
    pollfd ends[2] = {{socket_, static_cast<int16_t>(to_send.empty() ? POLLIN : POLLIN | POLLOUT), 0},
                      {error_, POLLIN, 0}};
    if (poll(ends, 2, static_cast<int>(left) + 1) < 0) continue;
    if (ends[1].revents & POLLIN) ReadErrors();
    if ((ends[0].revents & ~POLLOUT) == 0) {
      // A closed standard error is always ready.
      if (ends[0].revents == 0 && ends[1].revents & POLLHUP) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    const ssize_t bytes = recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (bytes < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (bytes <= 0) return Ended();
    received.append(buffer.data(), bytes);
    ASSIGN_OR_RETURN(done, ParseAnswer(received, reply));
  }
  const size_t floats = reply->floats();
  if (floats > 0 && reply_floats == nullptr)
    return absl::DataLossError(absl::StrCat("answers with ", floats, " floats"));
  if (reply_floats == nullptr) return absl::OkStatus();
  reply_floats->resize(floats);
  if (floats > 0) {
    std::memcpy(reply_floats->data(), received.data() + received.size() - floats * sizeof(float),
                floats * sizeof(float));
  }
  return absl::OkStatus();
}

absl::StatusOr<PeerReply> PeerProcess::Call(PeerRequest request, absl::Span<const float> floats, double timeout_seconds,
                                            std::vector<float>* reply_floats) {
  if (!alive_) return absl::InternalError("its process has ended");
  request.set_floats(static_cast<int>(floats.size()));
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string line;
  CHECK(google::protobuf::util::MessageToJsonString(request, &line, options).ok());
  line += '\n';
  kill(-pid_, SIGCONT);
  PeerReply reply;
  const absl::Status status = Exchange({line, Bytes(floats)}, timeout_seconds, &reply, reply_floats);
  if (!status.ok()) {
    Kill();
    return status;
  }
  Stop();
  if (reply.has_unsupported()) return absl::UnimplementedError(reply.unsupported());
  if (reply.has_error()) return absl::InternalError(reply.error());
  return reply;
}

}  // namespace earshot
