#include "data/recording.h"

#include <cmath>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/subprocess.h"

namespace earshot {
namespace {

constexpr double kMaxOvershootSeconds = 0.5;  // extract-segments --max-overshoot

absl::StatusOr<Audio> RunForAudio(const std::string& command, const AudioOptions& audio_options) {
  const std::string name = absl::StrCat("command ", Quoted(command));
  SubprocessOptions options;
  options.timeout_seconds = kCommandSeconds;
  options.max_output_bytes = audio_options.max_bytes;
  options.directory = UserPath(".");
  const absl::StatusOr<std::string> output = RunProgram({"/bin/sh", "-c", command}, options);
  RETURN_IF_ERROR(Annotate(output.status(), name));
  return DecodeAudio(*output, name, audio_options);
}

}  // namespace

absl::StatusOr<Audio> ReadRecording(const UtteranceSource& source) {
  AudioOptions options;
  options.channel = source.channel;
  if (source.audio_is_command) return RunForAudio(source.audio, options);
  return ReadAudio(source.audio, options);
}

absl::StatusOr<SampleRange> SegmentSamples(const UtteranceSource& source, int64_t num_samples, int sample_rate) {
  const double begin = source.begin_seconds * sample_rate, end = source.end_seconds * sample_rate;
  const auto error = [&](absl::string_view expected) {
    return absl::InvalidArgumentError(absl::StrCat(source.audio, ": expected ", expected, ", found ",
                                                   source.begin_seconds, " to ", source.end_seconds, " s in ",
                                                   static_cast<double>(num_samples) / sample_rate, " s"));
  };
  const bool to_end = source.end_seconds == -1;
  // A recording without samples is one utterance without samples.
  if (to_end && source.begin_seconds == 0) return SampleRange{0, num_samples};
  if (!(begin >= 0 && begin < num_samples)) return error("a begin within the recording");
  if (!to_end && !(end < num_samples + std::floor(kMaxOvershootSeconds * sample_rate))) {
    return error("an end within the recording");
  }
  SampleRange range;
  range.begin = static_cast<int64_t>(begin);
  range.end = to_end || end > num_samples ? num_samples : static_cast<int64_t>(end);
  if (range.end <= range.begin) return error("at least one sample");
  return range;
}

}  // namespace earshot
