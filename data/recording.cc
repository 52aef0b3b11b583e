#include "data/recording.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/input_file.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/byte_order.h"
#include "data/command.h"
#include "data/kaldi_location.h"

namespace earshot {
namespace {

constexpr int64_t kRiffBytes = 8;             // "RIFF" and how many bytes follow
constexpr double kMaxOvershootSeconds = 0.5;  // extract-segments --max-overshoot

// The WAV file that starts at `offset`. Its own header says how long it is: other entries follow.
absl::StatusOr<Audio> ReadFromArchive(const std::string& path, int64_t offset, const AudioOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<InputFile> file, InputFile::Open(path));
  const int64_t available = file->size() - offset;
  char header[kRiffBytes] = {};
  if (available >= kRiffBytes) RETURN_IF_ERROR(file->Read(offset, kRiffBytes, header));
  if (absl::string_view(header, 4) != "RIFF") {
    return ByteError(path, offset, "a WAV file",
                     available <= 0 ? absl::StrCat("a file of ", file->size(), " bytes") : "something else");
  }
  const int64_t bytes = kRiffBytes + static_cast<int64_t>(LittleEndian({header + 4, 4}));
  if (bytes > available || bytes > options.max_bytes) {
    return ByteError(path, offset + 4,
                     absl::StrCat("a WAV file of at most ", std::min(available, options.max_bytes), " bytes"),
                     absl::StrCat(bytes));
  }
  std::string content(bytes, '\0');
  RETURN_IF_ERROR(file->Read(offset, bytes, &content[0]));
  return DecodeAudio(content, absl::StrCat(path, ":", offset), options);
}

}  // namespace

absl::StatusOr<Audio> ReadRecording(const UtteranceSource& source) {
  AudioOptions options;
  options.channel = source.channel;
  if (source.audio_is_command) {
    ASSIGN_OR_RETURN(const std::string output, RunCommand(source.audio, options.max_bytes));
    return DecodeAudio(output, CommandName(source.audio), options);
  }
  if (source.audio == "-") {
    ASSIGN_OR_RETURN(const std::string content, ReadStandardInput(options.max_bytes));
    return DecodeAudio(content, "standard input", options);
  }
  absl::StatusOr<Audio> audio = ReadAudio(source.audio, options);
  if (!absl::IsNotFound(audio.status())) return audio;
  const absl::StatusOr<KaldiLocation> location = ParseKaldiLocation(source.audio);
  if (!location.ok() || location->offset < 0 || location->has_range) return audio;
  return ReadFromArchive(location->path, location->offset, options);
}

absl::StatusOr<SampleRange> SegmentSamples(const UtteranceSource& source, int64_t num_samples, int sample_rate) {
  const double begin = source.begin_seconds * sample_rate, end = source.end_seconds * sample_rate;
  const auto error = [&](absl::string_view expected) {
    return absl::InvalidArgumentError(absl::StrCat(source.audio, ": expected ", expected, ", found ",
                                                   source.begin_seconds, " to ", source.end_seconds, " s in ",
                                                   static_cast<double>(num_samples) / sample_rate, " s"));
  };
  const bool to_end = source.end_seconds == -1;
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
