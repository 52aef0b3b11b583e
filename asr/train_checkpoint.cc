#include "asr/train_checkpoint.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "asr/checkpoint/param_names.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "base/textproto.h"

namespace earshot {
namespace {

constexpr char kMean[] = "features.mean", kInverseDeviation[] = "features.inverse_deviation";

std::vector<ParamTensor> Layout(const Model& model) {
  return ParamTensors(model.levels(), model.num_classes(), model.output_bias());
}

std::string OptimizerPrefix(const std::string& name) { return absl::StrCat("optimizer.", name, "."); }

absl::StatusOr<std::string> Metadata(const Checkpoint& checkpoint, const std::string& key) {
  const auto found = checkpoint.metadata.find(key);
  if (found == checkpoint.metadata.end()) {
    return absl::InvalidArgumentError(absl::StrCat("metadata: no \"", key, "\", expected a checkpoint of //asr:train"));
  }
  return found->second;
}

absl::StatusOr<std::vector<float>> Vector(const Checkpoint& checkpoint, const std::string& name, int64_t size) {
  const auto found = checkpoint.tensors.find(name);
  if (found == checkpoint.tensors.end()) return absl::InvalidArgumentError(absl::StrCat("no tensor ", name));
  const std::vector<int64_t>& shape = found->second.shape;
  if (shape == std::vector<int64_t>{size}) return found->second.values;
  return absl::InvalidArgumentError(
      absl::StrCat("tensor ", name, ": shape [", absl::StrJoin(shape, ","), "], expected [", size, "]"));
}

}  // namespace

Checkpoint MakeCheckpoint(const TrainConfig& config, const NormalizationStats* stats, TrainStep* step,
                          const TrainState& state) {
  Checkpoint checkpoint;
  const std::vector<ParamTensor> layout = Layout(step->model());
  AddParams(step->model().params(), layout, "", &checkpoint);
  for (const Optimizer::NamedState& s : step->optimizer().state()) {
    AddParams(s.values, layout, OptimizerPrefix(s.name), &checkpoint);
  }
  if (stats != nullptr) {
    const int64_t n = stats->mean.size();
    checkpoint.tensors[kMean] = {{n}, stats->mean};
    checkpoint.tensors[kInverseDeviation] = {{n}, stats->inverse_deviation};
  }
  checkpoint.metadata["config"] = PrintTextproto(config);
  checkpoint.metadata["state"] = PrintTextproto(state);
  checkpoint.metadata["step"] = absl::StrCat(state.step());
  return checkpoint;
}

absl::StatusOr<TrainConfig> CheckpointConfig(const Checkpoint& checkpoint) {
  ASSIGN_OR_RETURN(const std::string text, Metadata(checkpoint, "config"));
  TrainConfig config;
  RETURN_IF_ERROR(ParseTextproto(text, "metadata \"config\"", &config));
  return config;
}

absl::StatusOr<TrainState> CheckpointState(const Checkpoint& checkpoint) {
  constexpr absl::string_view kName = "metadata \"state\"";
  ASSIGN_OR_RETURN(const std::string text, Metadata(checkpoint, "state"));
  TrainState state;
  RETURN_IF_ERROR(ParseTextproto(text, kName, &state));
  if (state.format() != kTrainStateFormat) {
    return LineError(kName, 1, absl::StrCat("format ", kTrainStateFormat), absl::StrCat(state.format()));
  }
  // They count, and are taken at their word.
  const google::protobuf::Reflection& fields = *state.GetReflection();
  for (int i = 0; i < state.GetDescriptor()->field_count(); ++i) {
    const google::protobuf::FieldDescriptor* field = state.GetDescriptor()->field(i);
    double value = 0;
    switch (field->cpp_type()) {
      case google::protobuf::FieldDescriptor::CPPTYPE_INT32:
        value = fields.GetInt32(state, field);
        break;
      case google::protobuf::FieldDescriptor::CPPTYPE_INT64:
        value = fields.GetInt64(state, field);
        break;
      default:
        continue;
    }
    if (value < 0) return LineError(kName, 1, absl::StrCat(field->name(), " of at least 0"), absl::StrCat(value));
  }
  return state;
}

absl::StatusOr<NormalizationStats> CheckpointStats(const Checkpoint& checkpoint, int dimensions) {
  NormalizationStats stats;
  ASSIGN_OR_RETURN(stats.mean, Vector(checkpoint, kMean, dimensions));
  ASSIGN_OR_RETURN(stats.inverse_deviation, Vector(checkpoint, kInverseDeviation, dimensions));
  return stats;
}

absl::Status CheckParameters(const Checkpoint& checkpoint, const ModelConfig& config, int input_size, int num_classes) {
  const std::vector<LstmLevelConfig> levels = LstmLevels(config.lstm(), input_size);
  return CheckParams(checkpoint, ParamTensors(levels, num_classes, config.output_bias()), "");
}

absl::Status RestoreParameters(const Checkpoint& checkpoint, Model* model) {
  return ReadParams(checkpoint, Layout(*model), "", model->params());
}

absl::Status RestoreTraining(const Checkpoint& checkpoint, TrainStep* step) {
  ASSIGN_OR_RETURN(const TrainState state, CheckpointState(checkpoint));
  RETURN_IF_ERROR(RestoreParameters(checkpoint, &step->model()));
  for (const Optimizer::NamedState& s : step->optimizer().state()) {
    RETURN_IF_ERROR(ReadParams(checkpoint, Layout(step->model()), OptimizerPrefix(s.name), s.values));
  }
  step->optimizer().set_updates(state.updates());
  return absl::OkStatus();
}

}  // namespace earshot
