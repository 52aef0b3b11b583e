// A run that is interrupted and resumed ends with the bytes of one that is not.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "asr/testing/toy_task.h"
#include "base/file.h"

namespace earshot {
namespace {

constexpr auto kNever = [] { return false; };
constexpr auto kNothing = [](Trainer*) {};
constexpr int kUtterances = 52, kMaxSteps = 64;

std::string Directory(const std::string& name) { return absl::StrCat(testing::TempDir(), "/", name); }

// What a run leaves behind: its checkpoints, and metrics.jsonl without the times.
struct Result {
  std::string last, best, metrics;
  bool operator==(const Result& other) const {
    return last == other.last && best == other.best && metrics == other.metrics;
  }
};

Result ReadResult(const std::string& directory) {
  Result result;
  result.last = *ReadFile(directory + "/last.safetensors", 1 << 24);
  result.best = *ReadFile(directory + "/best.safetensors", 1 << 24);
  const std::string metrics = *ReadFile(directory + "/metrics.jsonl", 1 << 24);
  for (absl::string_view line : absl::StrSplit(metrics, '\n', absl::SkipEmpty())) {
    const size_t times = std::min(line.find(",\"frames_per_second\""), line.find(",\"seconds\""));
    absl::StrAppend(&result.metrics, line.substr(0, times), "\n");
  }
  return result;
}

class ResumeTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    data_ = MakeToyData(LossConfig::CTC, kUtterances);
    config_ = MakeToyConfig(LossConfig::CTC, GetParam());
    config_.set_epochs(2);
  }
  void Train(const TrainConfig& config, const std::string& directory, bool resume,
             absl::FunctionRef<bool()> stop = kNever, int threads = 1) {
    const auto finished = TrainToy(config, *data_, directory, resume, threads, stop, kNothing);
    ASSERT_TRUE(finished.ok()) << finished.status();
  }
  std::unique_ptr<TrainingData> data_;
  TrainConfig config_;
};

TEST_P(ResumeTest, StoppedAtAnyStep) {
  const std::string straight = Directory(absl::StrCat("straight_", GetParam()));
  int asked = 0;
  Train(config_, straight, false, [&] { return ++asked < 0; });
  const Result expected = ReadResult(straight);
  const int64_t steps = std::count(expected.metrics.begin(), expected.metrics.end(), '\n') - config_.epochs();
  ASSERT_GE(steps, 24);
  for (int stop_at = 0; stop_at < asked; ++stop_at) {  // every step and every end of an epoch
    const std::string directory = Directory(absl::StrCat("stop_", GetParam(), "_", stop_at));
    int k = 0;
    Train(config_, directory, false, [&] { return k++ == stop_at; });
    Train(config_, directory, true);
    const Result result = ReadResult(directory);
    EXPECT_EQ(result.metrics, expected.metrics) << stop_at;
    EXPECT_TRUE(result == expected) << "stopped at " << stop_at;
  }
}

TEST_P(ResumeTest, StoppedAfterEveryThirdStep) {
  const std::string straight = Directory(absl::StrCat("straight3_", GetParam())),
                    directory = Directory(absl::StrCat("often_", GetParam()));
  Train(config_, straight, false);
  bool finished = false;
  for (int run = 0; run < kMaxSteps && !finished; ++run) {
    int k = 0;
    const auto status = TrainToy(
        config_, *data_, directory, run > 0, 1, [&] { return k++ == 3; }, kNothing);
    ASSERT_TRUE(status.ok()) << status.status();
    finished = *status;
  }
  EXPECT_TRUE(finished);
  EXPECT_TRUE(ReadResult(directory) == ReadResult(straight));
}

// As after kill -9: nothing is saved at the end, so the run goes back to its last checkpoint. A copy of the directory
// at every step is what a kill there would leave.
TEST_P(ResumeTest, KilledAtAnyStep) {
  config_.set_checkpoint_steps(5);
  const std::string straight = Directory(absl::StrCat("killed_", GetParam()));
  int k = 0;
  Train(config_, straight, false, [&] {
    if (k > 5) std::filesystem::copy(straight, absl::StrCat(straight, "_", k));
    ++k;
    return false;
  });
  ASSERT_GT(k, 20);
  const Result expected = ReadResult(straight);
  for (int killed_at = 6; killed_at < k; ++killed_at) {
    const std::string directory = absl::StrCat(straight, "_", killed_at);
    std::ofstream(directory + "/metrics.jsonl", std::ios::app) << "{\"step\":" << killed_at;  // cut short
    Train(config_, directory, true);
    const Result result = ReadResult(directory);
    EXPECT_EQ(result.metrics, expected.metrics) << killed_at;
    EXPECT_TRUE(result == expected) << "killed at " << killed_at;
  }
}

INSTANTIATE_TEST_SUITE_P(Implementations, ResumeTest, testing::Values("reference", "blas", "simd"),
                         [](const testing::TestParamInfo<const char*>& info) { return std::string(info.param); });

class SameBitsTest : public ResumeTest {};

TEST_P(SameBitsTest, ForAnyNumberOfThreadsAndResumes) {
  const std::string one = Directory("threads_1");
  Train(config_, one, false, kNever, 1);
  const Result expected = ReadResult(one);
  for (int threads : {2, 3, 4, 8}) {
    const std::string directory = Directory(absl::StrCat("threads_", threads));
    int k = 0;
    Train(
        config_, directory, false, [&] { return k++ == 9; }, threads);
    Train(config_, directory, true, kNever, 11 - threads);  // another number
    EXPECT_TRUE(ReadResult(directory) == expected) << threads;
  }
  config_.set_seed(2);
  const std::string other = Directory("seed_2");
  Train(config_, other, false, kNever, 1);
  EXPECT_NE(ReadResult(other).metrics, expected.metrics);
}

INSTANTIATE_TEST_SUITE_P(Reference, SameBitsTest, testing::Values("reference"));

// A run goes on with another implementation: the checkpoint knows none.
TEST(ResumeElsewhereTest, OtherImplementationGoesOn) {
  const auto data = MakeToyData(LossConfig::CTC, kUtterances);
  std::vector<double> losses;
  for (const char* second : {"reference", "simd", "blas", "fused_cell"}) {
    const std::string directory = Directory(absl::StrCat("change_", second));
    TrainConfig config = MakeToyConfig(LossConfig::CTC, "reference");
    int k = 0;
    ASSERT_TRUE(TrainToy(
                    config, *data, directory, false, 1, [&] { return k++ == 9; }, kNothing)
                    .ok());
    config.mutable_model()->mutable_lstm()->set_implementation(second);
    const auto finished = TrainToy(config, *data, directory, true, 1, kNever,
                                   [&](Trainer* trainer) { losses.push_back(trainer->state().best_loss()); });
    ASSERT_TRUE(finished.ok()) << finished.status();
  }
  EXPECT_NEAR(losses[1], losses[0], 0.02 * losses[0]);
  EXPECT_NEAR(losses[2], losses[0], 0.02 * losses[0]);
}

}  // namespace
}  // namespace earshot
