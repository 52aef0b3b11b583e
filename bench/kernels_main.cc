// The program behind //bench:kernels: the parts of the training step, each beside what this machine can do at most.
#include <benchmark/benchmark.h>
#include <gflags/gflags.h>

#include <iostream>

#include "absl/strings/str_format.h"
#include "base/command_line.h"
#include "base/program.h"
#include "base/thread_pool.h"
#include "bench/gate_kernels.h"
#include "bench/kernel_suite.h"
#include "bench/limit_kernels.h"
#include "bench/loss_kernels.h"
#include "bench/machine.h"
#include "bench/optimizer_kernels.h"
#include "bench/product_kernels.h"
#include "bench/recurrent_kernels.h"

DEFINE_int32(threads, 0, "threads at most; each kernel runs on 1, 2 and so many. 0: all that this process may use");
DEFINE_double(limit_seconds, 1, "time for each measurement of the machine's limits, for each number of threads");

namespace earshot {
namespace {

constexpr char kMeaning[] =
    "times the kernels of the training step, after each was checked on the timed shape against an independent\n"
    "computation, and prints their share of the peak of fused multiply-adds or of the bandwidth of memory, both\n"
    "measured in this process for as many threads. GFLOP/s, GB/s and shares are those of the run in the middle,\n"
    "best_share is of the fastest one, and the time column is the mean. Google Benchmark's own flags come with\n"
    "--benchmark_*, for instance --benchmark_filter=REGEX, --benchmark_list_tests, --benchmark_min_time=SECONDS,\n"
    "--benchmark_repetitions=N, --benchmark_enable_random_interleaving, --benchmark_format=json.";

// Google Benchmark answers --help itself, and ends the program.
void PrintHelp() {
  gflags::SetUsageMessage(kMeaning);
  gflags::ShowUsageWithFlagsRestrict("kernels", "kernels_main");
  benchmark::PrintDefaultHelp();
}

int Main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv, PrintHelp);  // takes its own flags out of argv
  const absl::optional<int> done = StartProgram(argc, argv, kMeaning, "kernels_main", /*arguments=*/nullptr);
  if (done.has_value()) return *done;
  const absl::Status threads = CheckThreads(FLAGS_threads);
  if (!threads.ok()) return ReportError(kUsage, threads.message());
  if (!(FLAGS_limit_seconds >= 0)) return ReportError(kUsage, "flag --limit_seconds: expected 0 or more");

  ScopedFlushDenormals flush;
  const int max_threads = FLAGS_threads > 0 ? FLAGS_threads : AvailableCpus();
  MachineRecorder recorder(max_threads);
  KernelSuite suite(max_threads, FLAGS_limit_seconds);
  RegisterLimitKernels(&suite);
  RegisterProductKernels(&suite);
  RegisterRecurrentKernels(&suite);
  RegisterGateKernels(&suite);
  RegisterLossKernels(&suite);
  RegisterOptimizerKernels(&suite);
  benchmark::AddCustomContext("limits", suite.Describe());
  if (benchmark::RunSpecifiedBenchmarks() == 0) {
    return ReportError(kFailure, absl::StrFormat("flag --benchmark_filter=%s matches no kernel, expected a regular "
                                                 "expression for some of those that --benchmark_list_tests prints",
                                                 benchmark::GetBenchmarkFilter()));
  }
  std::cerr << "limits at the end: " << suite.DescribeDrift() << std::endl;
  const MachineRecord machine = recorder.Finish();
  if (Disturbed(machine)) {
    std::cerr << absl::StrFormat("DISTURBED: in %.0f s, other programs computed for %.1f s and the host took %.1f s\n",
                                 machine.run_seconds(), machine.other_cpu_seconds(), machine.steal_seconds());
  }
  return suite.failed() ? ReportError(kFailure, "a kernel computes something else than it should") : 0;
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) { return earshot::Main(argc, argv); }
