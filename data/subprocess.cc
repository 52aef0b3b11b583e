#include "data/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"

extern char** environ;

namespace earshot {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMaxErrorBytes = 500;

absl::Status TooLate(const SubprocessOptions& options) {
  return absl::DeadlineExceededError(absl::StrCat("not done in ", options.timeout_seconds, " s"));
}

// The reading and the writing end of a pipe; neither is inherited by programs started elsewhere.
class Pipe {
 public:
  Pipe() { ok_ = pipe2(ends_, O_CLOEXEC) == 0; }
  ~Pipe() {
    Close(0);
    Close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool ok() const { return ok_; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void Close(int end) {
    if (ends_[end] >= 0) close(ends_[end]);
    ends_[end] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
  bool ok_;
};

// Becomes a program that gets SIGTERM when its parent ends. Only calls that are allowed between fork and exec.
[[noreturn]] void Exec(char* const* argv, const std::string& directory, const Pipe& output, const Pipe& error,
                       pid_t parent) {
  constexpr int kCannotStart = 127;  // as a shell's
  signal(SIGTERM, SIG_DFL);          // a handler of ours would take it until exec
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  setpgid(0, 0);
  const int input = open("/dev/null", O_RDONLY);
  if (getppid() == parent && (directory.empty() || chdir(directory.c_str()) == 0) && dup2(input, STDIN_FILENO) >= 0 &&
      dup2(output.write_end(), STDOUT_FILENO) >= 0 && dup2(error.write_end(), STDERR_FILENO) >= 0) {
    execv(argv[0], argv);
  }
  _exit(kCannotStart);
}

// posix_spawnp into a new process group, with input from /dev/null and both outputs into pipes.
int Spawn(const std::vector<std::string>& arguments, const SubprocessOptions& options, const Pipe& output,
          const Pipe& error, pid_t* pid) {
  const std::string& directory = options.directory;
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  if (options.stops_cleanly) {  // posix_spawn cannot do what Exec does
    if (access(argv[0], F_OK) != 0) return errno;
    const pid_t self = getpid();
    *pid = fork();
    if (*pid == 0) Exec(argv.data(), directory, output, error, self);
    return *pid < 0 ? errno : 0;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write_end(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, error.write_end(), STDERR_FILENO);
  if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int result = posix_spawnp(pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return result;
}

// Reads both pipes until the program has closed them; passes on that it is to stop.
absl::Status ReadAll(pid_t pid, const SubprocessOptions& options, Clock::time_point deadline, Pipe* output, Pipe* error,
                     std::string* output_text, std::string* error_text) {
  constexpr int64_t kStopMilliseconds = 100;  // between two looks: a signal may come just before poll begins
  std::vector<char> buffer(1 << 16);
  bool asked = false;
  while (output->read_end() >= 0 || error->read_end() >= 0) {
    int64_t left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return TooLate(options);
    if (options.stop != nullptr) {
      left = std::min(left, kStopMilliseconds);
      if (*options.stop && !options.stops_cleanly) return absl::CancelledError("stopped");
      if (*options.stop && !asked) kill(pid, SIGTERM);
      asked = *options.stop;
    }
    pollfd ends[2] = {{output->read_end(), POLLIN, 0}, {error->read_end(), POLLIN, 0}};  // poll ignores -1
    if (poll(ends, 2, static_cast<int>(left) + 1) < 0 && errno != EINTR) {
      return absl::InternalError(absl::StrCat("poll: ", std::strerror(errno)));
    }
    for (int i = 0; i < 2; ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t bytes = read(ends[i].fd, buffer.data(), buffer.size());
      if (bytes < 0 && errno == EINTR) continue;
      if (bytes <= 0) {
        (i == 0 ? output : error)->Close(0);
      } else if (i == 0) {
        output_text->append(buffer.data(), bytes);
      } else if (error_text->size() < kMaxErrorBytes) {
        error_text->append(buffer.data(), bytes);
      }
    }
    if (static_cast<int64_t>(output_text->size()) > options.max_output_bytes) {
      return absl::ResourceExhaustedError(absl::StrCat("more than ", options.max_output_bytes, " bytes of output"));
    }
  }
  return absl::OkStatus();
}

int Wait(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// A program that has closed both pipes is as good as done, but may still run on. False: until the deadline.
bool Ends(pid_t pid, Clock::time_point deadline) {
  siginfo_t info = {};
  while (waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0) {
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

}  // namespace

absl::StatusOr<std::string> RunProgram(const std::vector<std::string>& arguments, const SubprocessOptions& options) {
  CHECK(!arguments.empty());
  const std::string& name = arguments[0];
  Pipe output, error;
  if (!output.ok() || !error.ok()) return absl::InternalError(absl::StrCat(name, ": pipe: ", std::strerror(errno)));
  pid_t pid = 0;
  const int result = Spawn(arguments, options, output, error, &pid);
  if (result == ENOENT) return absl::NotFoundError(absl::StrCat(name, ": no such program"));
  if (result != 0) return absl::InternalError(absl::StrCat(name, ": cannot start: ", std::strerror(result)));
  output.Close(1);
  error.Close(1);
  std::string output_text, error_text;
  const std::chrono::duration<double> limit(options.timeout_seconds);
  const Clock::time_point deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
  absl::Status done = ReadAll(pid, options, deadline, &output, &error, &output_text, &error_text);
  if (done.ok() && !Ends(pid, deadline)) done = TooLate(options);
  if (!done.ok()) kill(-pid, SIGKILL);
  const int status = Wait(pid);
  RETURN_IF_ERROR(Annotate(done, name));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return output_text;
  const bool stopped = WIFEXITED(status) ? WEXITSTATUS(status) == kStopped : WTERMSIG(status) == SIGTERM;
  if (stopped && options.stops_cleanly && options.stop != nullptr && *options.stop) {
    return absl::CancelledError(absl::StrCat(name, ": stopped"));
  }
  const std::string how = WIFEXITED(status) ? absl::StrCat("exited with ", WEXITSTATUS(status))
                                            : absl::StrCat("was ended by signal ", WTERMSIG(status));
  error_text.resize(std::min(error_text.size(), kMaxErrorBytes));
  const absl::string_view reason = absl::StripAsciiWhitespace(error_text);
  return absl::InternalError(absl::StrCat(name, ": ", how, reason.empty() ? "" : ": ", absl::CHexEscape(reason)));
}

}  // namespace earshot
