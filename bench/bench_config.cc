#include "bench/bench_config.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "asr/train_config.h"
#include "base/random.h"
#include "base/status_macros.h"
#include "base/textproto.h"

namespace earshot {
namespace {

absl::Status CheckRange(absl::string_view field, double value, double low, double high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(field, " is ", value, ", expected ", low, " to ", high));
}

absl::Status ValidateBatch(const BenchBatch& batch, LossConfig::Kind loss) {
  RETURN_IF_ERROR(CheckRange("batch.utterances", batch.utterances(), 1, 1 << 16));
  RETURN_IF_ERROR(CheckRange("batch.max_frames", batch.max_frames(), 1, 1 << 20));
  if (batch.has_min_frames()) {
    RETURN_IF_ERROR(CheckRange("batch.min_frames", batch.min_frames(), 1, batch.max_frames()));
  }
  RETURN_IF_ERROR(CheckRange("batch.input_size", batch.input_size(), 1, 1 << 16));
  RETURN_IF_ERROR(CheckRange("batch.classes", batch.classes(), batch.last_class_missing() ? 3 : 2, 1 << 20));
  if (loss != LossConfig::CTC) return CheckRange("batch.labels_per_utterance", batch.labels_per_utterance(), 1, 1);
  // CTC needs a frame a label and, in the worst case of equal neighbours, a blank between any two.
  const int most = (BatchLengths(batch).back() + 1) / 2;
  return CheckRange("batch.labels_per_utterance", batch.labels_per_utterance(), 1, most);
}

// Labels of an utterance with so many frames.
int NumLabels(const BenchConfig& config, int frames) {
  switch (config.train().loss().kind()) {
    case LossConfig::CROSS_ENTROPY_FRAME:
      return frames;
    case LossConfig::CROSS_ENTROPY_LAST_FRAME:
      return 1;
    case LossConfig::CTC:
      return config.batch().labels_per_utterance();
  }
  return 0;
}

}  // namespace

absl::Status ValidateBenchConfig(const BenchConfig& config) {
  if (config.name().empty()) return absl::InvalidArgumentError("name is empty, expected the benchmark's name");
  RETURN_IF_ERROR(Annotate(ValidateTrainConfig(config.train()), "train"));
  RETURN_IF_ERROR(ValidateBatch(config.batch(), config.train().loss().kind()));
  RETURN_IF_ERROR(CheckRange("max_seconds", config.max_seconds(), 1, 1e6));
  RETURN_IF_ERROR(CheckRange("max_steps", config.max_steps(), 3, 1 << 20));
  RETURN_IF_ERROR(CheckRange("threads", config.threads(), 0, 1024));
  RETURN_IF_ERROR(CheckRange("blocks", config.blocks(), 1, 1000));
  if (config.point_size() == 0) return absl::OkStatus();
  if (config.axis().empty()) return absl::InvalidArgumentError("axis is empty, expected what the points vary");
  for (int i = 0; i < config.point_size(); ++i) {
    const BenchConfig::Point& point = config.point(i);
    const std::string name = absl::StrCat("point ", i);
    if (point.change().point_size() > 0) return absl::InvalidArgumentError(absl::StrCat(name, " has points itself"));
    if (i > 0 && !(point.at() > config.point(i - 1).at())) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ": at is ", point.at(), ", expected more than ", config.point(i - 1).at()));
    }
    RETURN_IF_ERROR(Annotate(ValidateBenchConfig(ExpandPoints(config)[i].config), name));
  }
  return absl::OkStatus();
}

BenchConfig WorkOf(BenchConfig config) {
  config.clear_summary();
  config.clear_stands_for();
  config.clear_max_seconds();
  config.clear_max_steps();
  config.clear_blocks();
  config.clear_full_length();
  config.clear_row();
  config.clear_peer();
  config.clear_threads();
  return config;
}

void DescribeChange(const BenchConfig& original, const std::string& change, BenchConfig* changed) {
  if (PrintTextproto(WorkOf(original)) == PrintTextproto(WorkOf(*changed))) return;
  changed->clear_stands_for();
  changed->set_summary(absl::StrCat(original.name(), " changed by --set: ", change));
}

std::vector<ConfigPoint> ExpandPoints(const BenchConfig& config) {
  BenchConfig base = config;
  base.clear_point();
  if (config.point_size() == 0) return {{0, base}};
  std::vector<ConfigPoint> points;
  for (const BenchConfig::Point& point : config.point()) {
    points.push_back({point.at(), base});
    points.back().config.MergeFrom(point.change());
  }
  return points;
}

std::vector<int32_t> BatchLengths(const BenchBatch& batch) {
  const int64_t n = batch.utterances(), high = batch.max_frames();
  const int64_t low = batch.has_min_frames() ? batch.min_frames() : high;
  std::vector<int32_t> lengths(n, static_cast<int32_t>(high));
  for (int64_t i = 0; i + 1 < n; ++i) {  // exact where a floating-point linspace could fall below a whole number
    lengths[n - 1 - i] = static_cast<int32_t>(low + i * (high - low) / (n - 1));
  }
  return lengths;
}

int64_t ValidFrames(const BenchBatch& batch) {
  int64_t sum = 0;
  for (int32_t length : BatchLengths(batch)) sum += length;
  return sum;
}

BenchBatch WithMaxFrames(const BenchBatch& batch, int max_frames) {
  BenchBatch scaled = batch;
  scaled.set_max_frames(std::clamp(max_frames, 1, batch.max_frames()));
  const double scale = static_cast<double>(scaled.max_frames()) / batch.max_frames();
  if (batch.has_min_frames()) scaled.set_min_frames(std::max(1, static_cast<int>(batch.min_frames() * scale)));
  scaled.set_labels_per_utterance(std::max(1, static_cast<int>(batch.labels_per_utterance() * scale)));
  return scaled;
}

BenchConfig ShrunkConfig(const BenchConfig& config) {
  constexpr int kUtterances = 3, kFrames = 8;
  BenchConfig shrunk = config;
  *shrunk.mutable_batch() = WithMaxFrames(config.batch(), kFrames);
  shrunk.mutable_batch()->set_utterances(std::min(config.batch().utterances(), kUtterances));
  return shrunk;
}

Batch MakeBatch(const BenchConfig& config) {
  Batch batch;
  const std::vector<int32_t> lengths = BatchLengths(config.batch());
  batch.packing = Packing::CreateOrDie(lengths);
  const bool logits = config.measured() == BenchConfig::LOSS;
  batch.features.Resize({batch.packing.rows(), logits ? config.batch().classes() : config.batch().input_size()});
  const uint32_t first_label = config.train().loss().kind() == LossConfig::CTC ? 1 : 0;
  const uint32_t num_labels = config.batch().classes() - first_label - (config.batch().last_class_missing() ? 1 : 0);
  for (int b = 0; b < batch.packing.batch(); ++b) {
    RandomStream features(config.seed(), RandomPurpose::kBench, b, 0);
    for (int t = 0; t < lengths[b]; ++t) {
      for (float& x : batch.features.view().row(batch.packing.row(t, b))) x = features.Uniform(-1, 1);
    }
    RandomStream draw(config.seed(), RandomPurpose::kBench, b, 1);
    std::vector<int32_t> labels(NumLabels(config, lengths[b]));
    for (int32_t& label : labels) label = first_label + draw.Below(num_labels);
    batch.labels.AddRow(labels);
    batch.ids.push_back(absl::StrCat("bench-", b));
  }
  return batch;
}

}  // namespace earshot
