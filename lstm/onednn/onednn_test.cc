// What the conformance suite cannot see of this row: it stays on the threads of the pool.
#include "lstm/onednn/onednn.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <vector>

#include "lstm/lstm_params.h"

extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int);
}

namespace earshot {
namespace {

int ThreadsOfThisProcess() {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}

TEST(OnednnTest, StartsNoThreadsAndLeavesOpenMpAsItWas) {
  constexpr int kThreads = 3;
  const LstmLevelConfig config = {24, 80, 1, /*peepholes=*/true, /*trainable_initial_state=*/false};
  omp_set_num_threads(5);
  ThreadPool pool(kThreads);
  const int before = ThreadsOfThisProcess();
  ASSERT_GE(before, kThreads);
  absl::StatusOr<std::unique_ptr<Lstm>> lstm = CreateOnednn(config, {&pool, nullptr});
  ASSERT_TRUE(lstm.ok()) << lstm.status();
  const Packing packing = Packing::CreateOrDie(std::vector<int32_t>(64, 9));
  const int64_t n = packing.rows();
  const std::vector<float> params(LstmParamsSize(config), 0.01f), x(n * 24, 0.1f), dy(n * 80, 0.1f);
  std::vector<float> y(n * 80), dx(n * 24), dparams(params.size());
  LstmInput in;
  in.params = params;
  in.packing = &packing;
  in.x = {x.data(), {n, 24}};
  (*lstm)->Forward(in, {y.data(), {n, 80}}, nullptr);
  (*lstm)->Backward(in, {dy.data(), {n, 80}}, {dx.data(), {n, 24}}, absl::MakeSpan(dparams), nullptr);
  EXPECT_NE(dparams[0], 0);
  EXPECT_EQ(ThreadsOfThisProcess(), before);
  EXPECT_EQ(omp_get_max_threads(), 5);
}

}  // namespace
}  // namespace earshot
