#include "bench/training_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/file.h"

namespace earshot {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kResult[] = R"({"recipe": "digits", "lstm": "blas", "seed": 3, "parameters": 7, "train_seconds": 30.5,
 "epochs": 3, "test": {"utterances": 2, "words": 9, "wer": 11.5, "cer": 3, "sentence_error": 50}})";
constexpr char kMetrics[] =
    R"({"step":20,"epoch":1,"loss":5,"grad_norm":1,"learning_rate":0.1,"frames":9,"frames_per_second":9,"seconds":1})"
    "\n"
    R"({"step":25,"epoch":1,"train_loss":4,"dev_loss":4,"dev_wer":80.5,"seconds":10.25})"
    "\n"
    R"({"step":50,"epoch":2,"train_loss":3,"dev_loss":3,"dev_wer":10,"seconds":20.5})"
    "\n"
    R"({"step":75,"epoch":3,"train_loss":2,"dev_loss":3,"dev_wer":12,"seconds":30.5})"
    "\n";

class ReadTrainingCurveTest : public testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(MakeDirectories(directory_).ok());
    ASSERT_TRUE(WriteFileAtomically(directory_ + "/" + name, {text}).ok());
  }
  const std::string directory_ =
      testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(ReadTrainingCurveTest, EpochsAndTheTarget) {
  Write("result.json", kResult);
  Write("metrics.jsonl", kMetrics);
  const auto curve = ReadTrainingCurve(directory_, 12);
  ASSERT_TRUE(curve.ok()) << curve.status().ToString();
  EXPECT_EQ(curve->implementation(), "blas");
  EXPECT_EQ(curve->seed(), 3u);
  EXPECT_EQ(curve->test_error(), 11.5);
  ASSERT_EQ(curve->epoch_size(), 3);
  EXPECT_EQ(curve->epoch(0).dev_error(), 80.5);
  EXPECT_EQ(curve->epoch(2).train_loss(), 2);
  EXPECT_EQ(curve->seconds_to_target(), 20.5);
  EXPECT_FALSE(ReadTrainingCurve(directory_, 9)->has_seconds_to_target());
}

TEST_F(ReadTrainingCurveTest, ErrorsNameTheFile) {
  EXPECT_EQ(ReadTrainingCurve(directory_, 1).status().code(), absl::StatusCode::kNotFound);
  const auto error = [&] { return std::string(ReadTrainingCurve(directory_, 1).status().message()); };
  Write("result.json", "{}");
  EXPECT_THAT(error(), HasSubstr("result.json: no \"lstm\", expected an LSTM implementation"));
  Write("result.json", R"({"lstm": 5})");
  EXPECT_THAT(error(), HasSubstr("result.json: another \"lstm\", expected an LSTM implementation"));
  Write("result.json", R"({"lstm": "blas", "test": {}, "seed": -1})");
  EXPECT_THAT(error(), HasSubstr("result.json: \"seed\": -1, expected a number, at least 0"));
  Write("result.json", std::string(kResult).substr(0, 60));
  EXPECT_THAT(error(), HasSubstr("result.json: expected a JSON object, found \"{\\\"recipe\\\": \\\"digits\\\""));
  Write("result.json", "");
  EXPECT_THAT(error(), HasSubstr("result.json: expected a JSON object, found nothing"));
  Write("result.json", kResult);
  Write("metrics.jsonl", std::string(kMetrics) + "{\"dev_wer\":1}\n");
  EXPECT_THAT(error(), HasSubstr("metrics.jsonl:5: no \"seconds\", expected a number, at least 0"));
  Write("metrics.jsonl", "nonsense\x01\n");
  EXPECT_THAT(error(), HasSubstr("metrics.jsonl:1: expected a JSON object, found \"nonsense\\x01\""));
  EXPECT_THAT(error(), Not(HasSubstr("INVALID_ARGUMENT")));
}

// Without an epoch there is no curve; cut short, the seconds to the target would be missing.
TEST_F(ReadTrainingCurveTest, CutMetrics) {
  const auto error = [&] { return std::string(ReadTrainingCurve(directory_, 1).status().message()); };
  Write("result.json", kResult);
  Write("metrics.jsonl", "");
  EXPECT_THAT(error(),
              HasSubstr("metrics.jsonl:1: ends after 0 lines with \"dev_wer\", expected one for each of the 3"));
  const std::string metrics = kMetrics;
  Write("metrics.jsonl", metrics.substr(0, metrics.rfind("{")));
  EXPECT_THAT(error(),
              HasSubstr("metrics.jsonl:4: ends after 2 lines with \"dev_wer\", expected one for each of the 3"));
  Write("metrics.jsonl", metrics.substr(0, metrics.size() - 10));
  EXPECT_THAT(error(), HasSubstr("metrics.jsonl:4: expected a JSON object, found \"{\\\"step\\\":75"));
  EXPECT_EQ(error().find('\n'), std::string::npos);
  Write("result.json", R"({"lstm": "blas", "test": {"wer": 1}, "seed": 1, "epochs": 0})");
  Write("metrics.jsonl", "");
  EXPECT_THAT(error(), HasSubstr("metrics.jsonl:1: ends after 0 lines"));
}

void AddRuns(const std::string& name, std::initializer_list<double> test_errors, BenchReport* report) {
  for (double error : test_errors) {
    TrainingCurve* curve = report->add_curves();
    curve->set_implementation(name);
    curve->set_test_error(error);
    curve->add_epoch()->set_dev_error(10 * error);
    if (error < 4) curve->set_seconds_to_target(error);
  }
}

TEST(TrainingCurvesTableTest, SaysWhatConvergesAlike) {
  BenchReport report;
  report.set_target_error(5);
  AddRuns("simd", {1, 2, 3}, &report);
  AddRuns("blas", {1.5, 2, 2.5}, &report);
  AddRuns("broken", {9, 9.5, 8.5}, &report);
  const std::string table = TrainingCurvesTable(report);
  EXPECT_THAT(table, HasSubstr("simd                 3       2.00     1.00            2.0        3  \n"));
  EXPECT_THAT(table, HasSubstr("blas                 3       2.00     0.50            2.0        3  alike (p = 1)\n"));
  EXPECT_THAT(table,
              HasSubstr("broken               3       9.00     0.50              -        0  NOT alike (p = 0.00"));
  EXPECT_THAT(table, HasSubstr("\n    1            20.00            20.00            90.00\n"));
}

}  // namespace
}  // namespace earshot
