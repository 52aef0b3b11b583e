#include "bench/machine.h"

#include <cblas.h>
#include <dnnl.h>
#include <google/protobuf/stubs/common.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/gemm.h"
#include "base/thread_pool.h"
#include "bench/peak.h"

namespace earshot {
namespace {

// The kernel's files say that they are empty, so they are read as streams. Empty when there is no such file.
std::string ReadText(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return std::string(absl::StripAsciiWhitespace(text.str()));
}

double LoadAverage() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

// "GCC 12.2.0"
std::string CompilerVersion() {
#if defined(__clang__)
  return absl::StrCat("Clang ", __clang_version__);
#else
  return absl::StrCat("GCC ", __VERSION__);
#endif
}

int64_t Bytes(const std::string& path) {
  int64_t bytes = 0;
  return absl::SimpleAtoi(ReadText(path), &bytes) ? bytes : std::numeric_limits<int64_t>::max();
}

}  // namespace

std::string ValueOf(absl::string_view text, absl::string_view key) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits(':', 1));
    if (absl::StripAsciiWhitespace(parts.first) == key) return std::string(absl::StripAsciiWhitespace(parts.second));
  }
  return "";
}

std::string CheckedOutCommit(const std::string& directory) {
  const auto resolve = [](const std::string& from, const std::string& path) {
    return absl::StartsWith(path, "/") ? path : absl::StrCat(from, "/", path);
  };
  std::string git = absl::StrCat(directory, "/.git");
  // A linked work tree or a submodule has a file there, "gitdir: PATH".
  const std::string linked = ValueOf(ReadText(git), "gitdir");
  if (!linked.empty()) git = resolve(directory, linked);
  const std::string head = ReadText(git + "/HEAD");
  const std::string ref = ValueOf(head, "ref");
  if (ref.empty()) return head;
  const std::string common = ReadText(git + "/commondir");
  if (!common.empty()) git = resolve(git, common);
  const std::string commit = ReadText(absl::StrCat(git, "/", ref));
  if (!commit.empty()) return commit;
  const std::string packed = ReadText(git + "/packed-refs");
  for (absl::string_view line : absl::StrSplit(packed, '\n')) {
    if (absl::ConsumeSuffix(&line, absl::StrCat(" ", ref))) return std::string(line);
  }
  return "";
}

int64_t AvailableMemory() {
  int64_t kilobytes = std::numeric_limits<int64_t>::max() / 1024;
  std::string value = ValueOf(ReadText("/proc/meminfo"), "MemAvailable");
  absl::SimpleAtoi(absl::StripSuffix(value, " kB"), &kilobytes);
  const int64_t limit = Bytes("/sys/fs/cgroup/memory.max");  // "max" where there is none
  const int64_t used = Bytes("/sys/fs/cgroup/memory.current");
  const int64_t left = limit < std::numeric_limits<int64_t>::max() ? std::max<int64_t>(0, limit - used) : limit;
  return std::min(kilobytes * 1024, left);
}

// Since boot: the first line of /proc/stat counts ticks of user, nice, system, idle, iowait, irq, softirq, steal.
MachineRecorder::Clocks MachineRecorder::ReadClocks() {
  Clocks clocks;
  clocks.wall = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  const std::string text = ReadText("/proc/stat");
  const std::vector<std::string> fields = absl::StrSplit(text.substr(0, text.find('\n')), ' ', absl::SkipEmpty());
  const double second = static_cast<double>(sysconf(_SC_CLK_TCK));
  const auto ticks = [&](size_t i) {
    int64_t value = 0;
    return i < fields.size() && absl::SimpleAtoi(fields[i], &value) ? static_cast<double>(value) / second : 0.0;
  };
  clocks.busy = ticks(1) + ticks(2) + ticks(3);
  clocks.steal = ticks(8);
  for (auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {  // the latter: peers that have ended
    rusage own;
    if (getrusage(who, &own) != 0) continue;
    clocks.own += static_cast<double>(own.ru_utime.tv_sec + own.ru_stime.tv_sec) +
                  1e-6 * static_cast<double>(own.ru_utime.tv_usec + own.ru_stime.tv_usec);
  }
  return clocks;
}

MachineRecorder::MachineRecorder(int threads) : start_(ReadClocks()) {
  MachineRecord& machine = record_;
  machine.set_cpu(ValueOf(ReadText("/proc/cpuinfo"), "model name"));
  machine.set_cores(AvailableCpus());
  machine.set_threads(threads);
  machine.set_instruction_set(PeakInstructionSet());
  machine.set_openblas_kernels(GemmKernelName());
  const std::string governor = ReadText("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (!governor.empty()) machine.set_governor(governor);
  machine.set_load_before(LoadAverage());
  utsname system;
  if (uname(&system) == 0) machine.set_kernel(absl::StrCat(system.sysname, " ", system.release));
  machine.add_versions(absl::StrCat("compiler ", CompilerVersion()));
  const std::vector<std::string> openblas = absl::StrSplit(openblas_get_config(), ' ');
  if (openblas.size() > 1) machine.add_versions(absl::StrCat("OpenBLAS ", openblas[1]));
  const dnnl_version_t& onednn = *dnnl_version();
  machine.add_versions(absl::StrCat("oneDNN ", onednn.major, ".", onednn.minor, ".", onednn.patch));
  machine.add_versions(absl::StrCat("Highway ", HighwayVersion()));
  machine.add_versions(absl::StrCat("protobuf ", google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION)));
  const char* workspace = getenv("BUILD_WORKSPACE_DIRECTORY");
  const std::string commit = workspace == nullptr ? "" : CheckedOutCommit(workspace);
  if (!commit.empty()) machine.set_commit(commit);
  machine.set_flush_denormals(true);
}

MachineRecord MachineRecorder::Finish() {
  const Clocks now = ReadClocks();
  record_.set_load_after(LoadAverage());
  record_.set_run_seconds(now.wall - start_.wall);
  record_.set_steal_seconds(now.steal - start_.steal);
  record_.set_other_cpu_seconds(std::max(0.0, (now.busy - start_.busy) - (now.own - start_.own)));
  return record_;
}

std::string ThreadsText(const MachineRecord& machine) {
  if (!machine.has_threads()) return "threads differ by point";
  return machine.threads() == 1 ? "1 thread" : absl::StrCat(machine.threads(), " threads");
}

bool Disturbed(const MachineRecord& machine) {
  return machine.other_cpu_seconds() + machine.steal_seconds() > 0.05 * machine.run_seconds() * machine.cores();
}

void FillBlockRecord(const MachineRecord& machine, BlockRecord* block) {
  block->set_seconds(machine.run_seconds());
  block->set_load_before(machine.load_before());
  block->set_load_after(machine.load_after());
  block->set_steal_seconds(machine.steal_seconds());
  block->set_other_cpu_seconds(machine.other_cpu_seconds());
  block->set_disturbed(Disturbed(machine));
}

}  // namespace earshot
