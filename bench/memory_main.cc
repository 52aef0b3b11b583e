// The memory of training steps: bazel run //bench:memory -- bench/configs/lstm_ce_long.textproto
#include <gflags/gflags.h>

#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/program.h"
#include "base/status_macros.h"
#include "base/textproto.h"
#include "base/thread_pool.h"
#include "bench/bench_config.h"
#include "bench/step_memory.h"
#include "lstm/registry.h"

DEFINE_string(lstm, "simd", "LSTM implementations, separated by commas");
DEFINE_int32(threads, 0, "threads that compute; 0: all that this process may use");

namespace earshot {
namespace {

constexpr char kMeaning[] =
    "takes two training steps of each configuration (BenchConfig of bench/bench.proto) and prints the memory that\n"
    "tensors held at the peak, batch and parameters included, in megabytes; how often that is the size of what any\n"
    "LSTM has to save between its passes, the gates, cells and inputs of all levels, [N, 4H], [N, H] and [N, I]; and\n"
    "the same less parameters, their gradients and moments, which do not grow with the batch. Arguments: files.";

absl::Status PrintMemory(const std::string& path, ThreadPool* pool) {
  BenchConfig config;
  RETURN_IF_ERROR(ReadTextproto(UserPath(path), &config));
  RETURN_IF_ERROR(Annotate(ValidateBenchConfig(config), path));
  if (config.measured() == BenchConfig::LOSS) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": measured is LOSS, expected TRAINING_STEP"));
  }
  const std::vector<std::string> names = absl::StrSplit(FLAGS_lstm, ',', absl::SkipEmpty());
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const LstmImplementation* implementation, FindLstmImplementation(name));
    ASSIGN_OR_RETURN(const StepMemory memory, MeasureStepMemory(config, *implementation, pool));
    std::cout << MemoryLine(config.name(), name, memory) << std::flush;
  }
  return std::cout ? absl::OkStatus() : absl::DataLossError("cannot write the results to stdout");
}

int Main(int argc, char** argv) {
  std::vector<std::string> files;
  const absl::optional<int> done = StartProgram(argc, argv, kMeaning, "memory_main", &files);
  if (done.has_value()) return *done;
  const absl::Status threads = CheckThreads(FLAGS_threads);
  if (!threads.ok()) return ReportError(kUsage, threads.message());
  if (files.empty()) return ReportError(kUsage, "no configurations; expected files, as bench/configs/*.textproto");
  ThreadPool pool(FLAGS_threads > 0 ? FLAGS_threads : AvailableCpus());
  std::cout << MemoryHeader();
  for (const std::string& file : files) {
    const absl::Status status = PrintMemory(file, &pool);
    if (!status.ok()) return ReportError(kFailure, status.message());
  }
  return 0;
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) { return earshot::Main(argc, argv); }
