// What the conformance suite does not see of this row.
#include "lstm/onednn/onednn.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/thread_pool.h"
#include "base/tolerance.h"
#include "lstm/testing/conformance.h"

extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int);
}

namespace earshot {
namespace {

const LstmCase kCase = {"both directions", {24, 80, 2, true, true}, {40, 40, 39, 39, 39, 39, 30, 27, 27, 20, 8, 1}};

int ThreadsOfThisProcess() {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}

TEST(OnednnTest, StartsNoThreadsAndLeavesOpenMpAsItWas) {
  constexpr int kThreads = 3;
  omp_set_num_threads(5);
  ThreadPool pool(kThreads);
  const int before = ThreadsOfThisProcess();
  ASSERT_GE(before, kThreads);
  absl::StatusOr<std::unique_ptr<Lstm>> lstm = CreateOnednn(kCase.config, {&pool, nullptr});
  ASSERT_TRUE(lstm.ok()) << lstm.status();
  RunLstm(lstm->get(), kCase, MakeData(kCase));
  EXPECT_EQ(ThreadsOfThisProcess(), before);
  EXPECT_EQ(omp_get_max_threads(), 5);
}

// Threads that the directions do not divide, more threads than utterances, and chunks of all lengths.
TEST(OnednnTest, AnyNumberOfThreads) {
  const LstmData data = MakeData(kCase);
  const LstmResults<double> expected = Truth(kCase, data);
  for (int threads : {1, 3, 5, 30}) {
    ThreadPool pool(threads);
    absl::StatusOr<std::unique_ptr<Lstm>> lstm = CreateOnednn(kCase.config, {&pool, nullptr});
    ASSERT_TRUE(lstm.ok()) << lstm.status();
    EXPECT_TRUE(Conforms(kCase, RunLstm(lstm->get(), kCase, data), expected, kDefaultToleranceFactor)) << threads;
  }
}

TEST(OnednnTest, WhatTheLibraryRefusesIsAStatus) {
  ThreadPool pool(1);
  const absl::Status status = CreateOnednn({3, 1 << 30, 1}, {&pool, nullptr}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message().substr(0, 8), "oneDNN: ") << status;
}

}  // namespace
}  // namespace earshot
