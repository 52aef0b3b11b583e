#include "asr/train_config.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "asr/recipes/recipes.h"
#include "base/textproto.h"

namespace earshot {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::testing::AnyOf;
using ::testing::HasSubstr;

std::string ErrorOf(const std::string& set) {
  const absl::StatusOr<TrainConfig> config = LoadTrainConfig("digits", {set});
  EXPECT_FALSE(config.ok()) << set;
  return config.ok() ? "" : std::string(config.status().message());
}

TEST(TrainConfigTest, EveryRecipeIsValidAndSurvivesPrinting) {
  EXPECT_THAT(RecipeNames(), testing::IsSupersetOf({"continuous", "digits", "isolated_digits"}));
  for (const std::string& name : RecipeNames()) {
    const absl::StatusOr<TrainConfig> config = LoadTrainConfig(name, {});
    ASSERT_TRUE(config.ok()) << name << ": " << config.status();
    EXPECT_EQ(config->name(), name);
    TrainConfig again;
    ASSERT_TRUE(ParseTextproto(PrintTextproto(*config), name, &again).ok());
    EXPECT_EQ(again.SerializeAsString(), config->SerializeAsString());
  }
}

TEST(TrainConfigTest, UnknownRecipeListsTheOnesThereAre) {
  const absl::Status status = LoadTrainConfig("digit", {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  for (const std::string& name : RecipeNames()) EXPECT_THAT(std::string(status.message()), HasSubstr(name));
  const std::string missing = std::string(LoadTrainConfig("/nowhere/x.textproto", {}).status().message());
  EXPECT_THAT(missing, HasSubstr("/nowhere/x.textproto"));
}

TEST(TrainConfigTest, SetsAreMergedInTurn) {
  const absl::StatusOr<TrainConfig> config = LoadTrainConfig(
      "digits",
      {"optimizer { learning_rate: 0.5 } epochs: 3", "optimizer { kind: SGD } epochs: 4", "augment { speed: 2 }"});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->optimizer().learning_rate(), 0.5f);
  EXPECT_EQ(config->optimizer().kind(), OptimizerConfig::SGD);
  EXPECT_EQ(config->epochs(), 4);
  // Repeated fields are replaced as a whole, others of the same message stay.
  EXPECT_EQ(config->augment().speed_size(), 1);
  EXPECT_EQ(config->augment().speed(0), 2);
  EXPECT_EQ(config->augment().noise_deviation(), LoadTrainConfig("digits", {})->augment().noise_deviation());
}

// Typing errors stop the run with their place.
TEST(TrainConfigTest, TypingErrorsNameLineAndColumn) {
  EXPECT_THAT(ErrorOf("epocs: 3"), HasSubstr("--set (number 1):1:"));
  EXPECT_THAT(ErrorOf("model {\n  lstm { hiden_size: 3 }\n}"), HasSubstr(":2:"));
  EXPECT_THAT(ErrorOf("epochs: 3 epochs: 4"), HasSubstr("epochs"));
  EXPECT_THAT(ErrorOf("epochs: one"), HasSubstr(":1:9"));
  EXPECT_THAT(ErrorOf("epochs: 3.5"), HasSubstr(":1:9"));
  EXPECT_THAT(ErrorOf("epochs: 99999999999"), HasSubstr(":1:9"));
  EXPECT_THAT(ErrorOf("optimizer { kind: ADAMS }"), HasSubstr("ADAMS"));
  EXPECT_THAT(ErrorOf("optimizer {"), HasSubstr(":1:"));
}

TEST(TrainConfigTest, FileErrorsNameFileLineAndColumn) {
  const std::string path = absl::StrCat(std::getenv("TEST_TMPDIR"), "/bad.textproto");
  std::ofstream(path) << "epochs: 3\nmodel { lstm { hiden: 320 } }\n";
  EXPECT_THAT(std::string(LoadTrainConfig(path, {}).status().message()), HasSubstr(path + ":2:"));
  std::ofstream(path) << "epochs: 3\n";
  const absl::StatusOr<TrainConfig> config = LoadTrainConfig(path, {});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->epochs(), 3);
}

struct BadSet {
  std::string set, field, value;
};

TEST(TrainConfigTest, ValuesOutOfRangeNameFieldAndValue) {
  const std::vector<BadSet> cases = {
      {"optimizer { max_grad_norm: -1 }", "max_grad_norm", "-1"},
      {"optimizer { learning_rate: -0.001 }", "learning_rate", "-0.001"},
      {"optimizer { learning_rate: 0 }", "learning_rate", "0"},
      {"optimizer { learning_rate: nan }", "learning_rate", "nan"},
      {"optimizer { learning_rate: inf }", "learning_rate", "inf"},
      {"optimizer { momentum: 1 }", "momentum", "1"},
      {"optimizer { beta2: 1 }", "beta2", "1"},
      {"model { lstm { dropout: 1.5 } }", "dropout", "1.5"},
      {"model { lstm { dropout: 1 } }", "dropout", "1"},  // would leave nothing; refused rather than guessed
      {"model { output_dropout: 1 }", "output_dropout", "1"},
      {"model { lstm { hidden_size: -1 } }", "hidden_size", "-1"},
      {"model { lstm { hidden_size: 0 } }", "hidden_size", "0"},
      {"model { lstm { num_levels: 0 } }", "num_levels", "0"},
      {"model { lstm { level { hidden_size: 5 } level {} } }", "level[1].hidden_size", "0"},
      {"model { lstm { implementation: 'blass' } }", "implementation", "blass"},
      {"batch { max_utterances: 0 }", "max_utterances", "0"},
      {"batch { max_frames: 0 }", "max_frames", "0"},
      {"schedule { milestone: 3 milestone: 3 }", "milestone[1]", "3"},
      {"schedule { warmup_fraction: 0 }", "warmup_fraction", "0"},
      {"epochs: 0", "epochs", "0"},
      {"log_steps: 0", "log_steps", "0"},
      {"threads: -2", "threads", "-2"},
  };
  for (const BadSet& c : cases) {
    const std::string error = ErrorOf(c.set);
    EXPECT_THAT(error, HasSubstr(c.field)) << c.set;
    EXPECT_THAT(error, HasSubstr(c.value)) << c.set;
  }
  // 0 turns clipping off, by its documentation.
  EXPECT_TRUE(LoadTrainConfig("digits", {"optimizer { max_grad_norm: 0 }"}).ok());
}

TEST(TrainConfigTest, ParametersMustFitIntoMemory) {
  EXPECT_THAT(ErrorOf("model { lstm { num_levels: 64 hidden_size: 65536 } }"), HasSubstr("model.lstm"));
  EXPECT_THAT(ErrorOf("model { lstm { level { hidden_size: 65536 } level { hidden_size: 65536 } } }"),
              HasSubstr("model.lstm"));
  EXPECT_THAT(ErrorOf("model { lstm { hidden_size: 2147483647 } }"), HasSubstr("hidden_size"));
}

// Calls visit(message, field) for every field of `message` and of the messages in it, whether set or not.
void VisitFields(Message* message, const std::function<void(Message*, const FieldDescriptor*)>& visit) {
  for (int i = 0; i < message->GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor* field = message->GetDescriptor()->field(i);
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      visit(message, field);
    } else if (!field->is_repeated()) {
      VisitFields(message->GetReflection()->MutableMessage(message, field), visit);
    }
  }
}

// No field may be forgotten by the validation: each in turn gets a number that no range can hold.
TEST(TrainConfigTest, EveryNumberIsChecked) {
  TrainConfig config = *LoadTrainConfig("digits", {"features { vtln_warp: 1.1 }"});  // its fields count only then
  int checked = 0;
  VisitFields(&config, [&](Message* message, const FieldDescriptor* field) {
    const auto* reflection = message->GetReflection();
    Message* saved = message->New();
    saved->CopyFrom(*message);
    if (field->is_repeated()) reflection->ClearField(message, field);
    const bool is_float = field->cpp_type() == FieldDescriptor::CPPTYPE_FLOAT;
    const bool is_int = field->cpp_type() == FieldDescriptor::CPPTYPE_INT32;
    for (const bool negative : {false, true}) {
      const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
      const int32_t lowest = std::numeric_limits<int32_t>::min();
      const float number = negative ? -inf : nan;
      if (is_float && field->is_repeated()) reflection->AddFloat(message, field, number);
      if (is_float && !field->is_repeated()) reflection->SetFloat(message, field, number);
      if (is_int && field->is_repeated()) reflection->AddInt32(message, field, lowest);
      if (is_int && !field->is_repeated()) reflection->SetInt32(message, field, lowest);
      if (!is_float && !is_int) continue;
      const absl::Status status = ValidateTrainConfig(config);
      EXPECT_FALSE(status.ok()) << field->full_name();
      // Of two bounds that exclude each other the error names one.
      EXPECT_THAT(std::string(status.message()), AnyOf(HasSubstr(field->name()), HasSubstr("vtln_low_frequency")));
      ++checked;
      if (field->is_repeated()) reflection->ClearField(message, field);
    }
    message->CopyFrom(*saved);
    delete saved;
  });
  EXPECT_GE(checked, 100);
  EXPECT_TRUE(ValidateTrainConfig(config).ok());
}

}  // namespace
}  // namespace earshot
