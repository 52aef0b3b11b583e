#include "bench/training_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "asr/checkpoint/run_directory.h"
#include "base/file.h"
#include "base/textproto.h"

namespace earshot {
namespace {

using testing::HasSubstr;

constexpr char kRecorded[] =
    "name: 'tiny' epochs: 7 seed: 3 tokens { token: 'one' token: 'two' } model { lstm { implementation: 'blas' } } "
    "features { precomputed_dims: 40 delta_order: 0 } augment { max_time_mask: 5 }";
constexpr char kAsked[] = "name: 'tiny' train_frames: 4500000 augment { max_time_mask: 5 speed: 0.9 speed: 1.1 }";

class CheckTrainingRunTest : public testing::Test {
 protected:
  CheckTrainingRunTest() {
    run_ = {"blas", 3, testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name()};
    EXPECT_TRUE(ParseTextproto(kAsked, "asked", &settings_.config).ok());
    settings_.data = "/corpus";
  }
  // What the trainer leaves in its folder, as far as this is looked at.
  void Record(const std::string& config) {
    Checkpoint checkpoint;
    checkpoint.metadata = {{"step", "1"}, {"config", config}, {"state", "format: 1 data: '/corpus'"}};
    auto directory = RunDirectory::Open(run_.directory);
    ASSERT_TRUE(directory.ok()) << directory.status();
    ASSERT_TRUE((*directory)->Save(checkpoint).ok());
  }
  std::string Error() { return std::string(CheckTrainingRun(run_, &settings_).status().message()); }

  TrainingRun run_;
  TrainingSettings settings_;
};

TEST_F(CheckTrainingRunTest, HowFarItIs) {
  EXPECT_EQ(CheckTrainingRun(run_, &settings_).value(), RunState::kNone);
  EXPECT_FALSE(IsDirectory(run_.directory));
  Record(kRecorded);
  EXPECT_EQ(CheckTrainingRun(run_, &settings_).value(), RunState::kBegun);
  ASSERT_TRUE(WriteFileAtomically(run_.directory + "/result.json", {"{}"}).ok());
  EXPECT_EQ(CheckTrainingRun(run_, &settings_).value(), RunState::kFinished);
  // What the corpus decided.
  EXPECT_EQ(settings_.config.epochs(), 7);
  EXPECT_EQ(settings_.config.tokens().token_size(), 2);
  EXPECT_EQ(settings_.config.features().precomputed_dims(), 40);
  EXPECT_EQ(settings_.config.augment().speed_size(), 0);
}

TEST_F(CheckTrainingRunTest, ErrorsNameTheFolderAndTheField) {
  Record(kRecorded);
  settings_.config.mutable_model()->mutable_lstm()->set_hidden_size(99);
  EXPECT_THAT(Error(), HasSubstr(run_.directory + " holds a run of other settings (there -> asked for): "));
  EXPECT_THAT(Error(), HasSubstr("model.lstm.hidden_size: 320 -> 99;"));
  settings_.config.mutable_model()->mutable_lstm()->clear_hidden_size();
  settings_.data = "";
  EXPECT_THAT(Error(), HasSubstr("(there -> asked for): --data: /corpus -> none;"));
  settings_.data = "/corpus";
  run_.seed = 4;
  EXPECT_THAT(Error(), HasSubstr("(there -> asked for): seed: 3 -> 4;"));
  run_.seed = 3;
  run_.implementation = "simd";
  EXPECT_THAT(Error(), HasSubstr("model.lstm.implementation: \"blas\" -> \"simd\";"));
  run_.implementation = "blas";
  settings_.config.set_epochs(2);
  EXPECT_THAT(Error(), HasSubstr("(there -> asked for): epochs: 7 -> 2;"));
}

// Two runs that the same flags began on a corpus that changed between them.
TEST_F(CheckTrainingRunTest, RunsAgreeOnWhatTheCorpusDecides) {
  Record(kRecorded);
  ASSERT_TRUE(CheckTrainingRun(run_, &settings_).ok());
  run_.directory += "-2";
  Record(absl::StrReplaceAll(kRecorded, {{"token: 'two'", "token: 'two' token: 'three'"}}));
  EXPECT_THAT(Error(), HasSubstr("deleted: tokens.token[2]: \"three\";"));
}

TEST_F(CheckTrainingRunTest, ResultWithoutCheckpoint) {
  ASSERT_TRUE(MakeDirectories(run_.directory).ok());
  ASSERT_TRUE(WriteFileAtomically(run_.directory + "/result.json", {"{}"}).ok());
  EXPECT_THAT(Error(), HasSubstr(run_.directory + ": a result.json but no last.safetensors"));
  ASSERT_TRUE(WriteFileAtomically(run_.directory + "/last.safetensors", {"garbage"}).ok());
  EXPECT_THAT(Error(), HasSubstr("last.safetensors"));
}

}  // namespace
}  // namespace earshot
