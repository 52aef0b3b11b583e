#include "data/file_dataset.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "base/tensor.h"
#include "data/command.h"
#include "data/feature_file.h"
#include "data/kaldi_archive.h"
#include "data/limits.h"
#include "data/recording.h"

namespace earshot {

Utterance FileDataset::Describe(int64_t i) const {
  CHECK(i >= 0 && i < size()) << i;
  Utterance utterance;
  utterance.id = sources_[i].id;
  utterance.speaker = sources_[i].speaker;
  utterance.text = sources_[i].text;
  return utterance;
}

absl::StatusOr<Utterance> FileDataset::Get(int64_t i) const {
  Utterance utterance = Describe(i);
  const UtteranceSource& source = sources_[i];
  const absl::Status status =
      source.features.empty() ? ReadWaveform(source, &utterance) : ReadFeatures(source, &utterance);
  if (status.ok()) return utterance;
  return absl::Status(status.code(), absl::StrCat(status.message(), " (utterance ", Quoted(source.id), ")"));
}

absl::Status FileDataset::ReadWaveform(const UtteranceSource& source, Utterance* utterance) const {
  const bool whole = source.begin_seconds == 0 && source.end_seconds == -1;
  if (whole) {
    ASSIGN_OR_RETURN(Audio audio, ReadRecording(source));
    utterance->sample_rate = audio.sample_rate;
    utterance->waveform = std::move(audio.waveform);
    return absl::OkStatus();
  }
  const std::string key = absl::StrCat(source.audio_is_command ? "command" : "file", source.channel, " ", source.audio);
  ASSIGN_OR_RETURN(const std::shared_ptr<const Audio> audio, cache_.Get(key, [&] { return ReadRecording(source); }));
  const std::vector<float>& samples = audio->waveform;
  ASSIGN_OR_RETURN(const SampleRange range, SegmentSamples(source, samples.size(), audio->sample_rate));
  utterance->sample_rate = audio->sample_rate;
  utterance->waveform.assign(samples.begin() + range.begin, samples.begin() + range.end);
  return absl::OkStatus();
}

absl::Status FileDataset::ReadFeatures(const UtteranceSource& source, Utterance* utterance) const {
  Tensor<float, 2> matrix;
  if (source.features_is_command) {
    ASSIGN_OR_RETURN(const std::string output, RunCommand(source.features, kMaxCommandFeatureBytes));
    ASSIGN_OR_RETURN(matrix, DecodeKaldiMatrix(output, CommandName(source.features)));
  } else {
    ASSIGN_OR_RETURN(matrix, ReadFeatureFile(source.features));
  }
  if (matrix.empty() || matrix.dim(1) > kMaxFeatureDimensions) {
    return absl::InvalidArgumentError(absl::StrCat(source.features, ": expected frames of 1 to ", kMaxFeatureDimensions,
                                                   " features, found a matrix of ", matrix.dim(0), " x ",
                                                   matrix.dim(1)));
  }
  utterance->features.assign(matrix.span().begin(), matrix.span().end());
  utterance->feature_dims = static_cast<int>(matrix.dim(1));
  return absl::OkStatus();
}

}  // namespace earshot
