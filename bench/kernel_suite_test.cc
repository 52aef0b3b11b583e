#include "bench/kernel_suite.h"

#include <benchmark/benchmark.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace earshot {
namespace {

// Says that each run takes so long, and every third one twice as long.
class FakeKernel : public Kernel {
 public:
  FakeKernel(int* made, double seconds, absl::Status check) : seconds_(seconds), check_(std::move(check)) { ++*made; }
  KernelWork work() const override {
    KernelWork work;
    work.flops = 1e9;
    work.cells = 1e6;
    work.steps = 100;
    return work;
  }
  double Run() override { return ++runs_ % 3 == 0 ? 2 * seconds_ : seconds_; }
  absl::Status Check() override {
    EXPECT_EQ(runs_, 1);
    return check_;
  }

 private:
  const double seconds_;
  const absl::Status check_;
  int runs_ = 0;
};

class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& report) override { runs.insert(runs.end(), report.begin(), report.end()); }
  std::vector<Run> runs;
};

TEST(KernelSuite, RatesStandBesideTheLimitsAndWrongKernelsAreErrors) {
  KernelSuite suite(2, 0);
  EXPECT_EQ(suite.thread_counts(), std::vector<int>({1, 2}));
  EXPECT_TRUE(suite.has_threads(2));
  EXPECT_FALSE(suite.has_threads(3));
  const double peak = suite.limits(2).peak_gflops;
  ASSERT_GT(peak, 0);
  EXPECT_GT(suite.limits(1).bandwidth.copy, 0);
  EXPECT_NE(suite.Describe().find("2 threads: "), std::string::npos);
  EXPECT_NE(suite.DescribeDrift().find("1 thread: peak "), std::string::npos);

  int made = 0;
  suite.Register("right", 2, [&](ThreadPool* pool) {
    EXPECT_EQ(pool->num_threads(), 2);
    return std::make_unique<FakeKernel>(&made, 2 / peak, absl::OkStatus());
  });
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, "right");
  ASSERT_EQ(collector.runs.size(), 1u);
  benchmark::BenchmarkReporter::Run& right = collector.runs[0];
  EXPECT_EQ(right.benchmark_name(), "right/threads:2/manual_time");
  EXPECT_FALSE(right.error_occurred);
  EXPECT_NEAR(right.counters["share_of_peak"], 0.5, 1e-9);  // 10^9 operations in 2 / peak seconds
  EXPECT_NEAR(right.counters["best_share"], 0.5, 1e-9);
  EXPECT_NEAR(right.counters["GFLOP/s"], 0.5 * peak, 1e-6 * peak);
  EXPECT_NEAR(right.counters["ns_per_cell"], 2 / peak * 1e9 / 1e6, 1e-9);
  EXPECT_NEAR(right.counters["us_per_step"], 2 / peak * 1e6 / 100, 1e-9);
  EXPECT_EQ(made, 1);  // for all of Google Benchmark's calls
  EXPECT_FALSE(suite.failed());

  suite.Register("wrong", 1, [&](ThreadPool*) {
    return std::make_unique<FakeKernel>(&made, 2 / peak, absl::InternalError("element 3 is 2, expected 1"));
  });
  benchmark::RunSpecifiedBenchmarks(&collector, "wrong");
  ASSERT_EQ(collector.runs.size(), 2u);
  EXPECT_TRUE(collector.runs[1].error_occurred);
  EXPECT_EQ(collector.runs[1].error_message, "element 3 is 2, expected 1");
  EXPECT_TRUE(collector.runs[1].counters.empty());
  EXPECT_TRUE(suite.failed());
}

}  // namespace
}  // namespace earshot
