#include "data/audio_file.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/input_file.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/audio_header.h"
#include "data/flac.h"
#include "data/pcm.h"

namespace earshot {
namespace {

constexpr int64_t kUsualHeaderBytes = 4096;

AudioInfo ToInfo(const AudioFormat& format) {
  AudioInfo info;
  info.sample_rate = format.sample_rate;
  info.channels = format.channels;
  info.frames = format.frames;
  return info;
}

}  // namespace

absl::StatusOr<Audio> DecodeAudio(absl::string_view content, absl::string_view name, const AudioOptions& options) {
  ASSIGN_OR_RETURN(const AudioFormat format, ReadAudioHeader(content, content.size(), name));
  if (options.channel >= format.channels) {
    return ByteError(name, 0, absl::StrCat("a file with a channel ", options.channel, " (counted from 0)"),
                     absl::StrCat(format.channels, " channels"));
  }
  if (format.frames > options.max_samples / format.channels) {
    return ByteError(name, 0, absl::StrCat("at most ", options.max_samples, " samples"),
                     absl::StrCat(format.frames, " in each of ", format.channels, " channels"));
  }
  Audio audio;
  audio.sample_rate = format.sample_rate;
  if (format.coding == AudioFormat::kFlac) {
    RETURN_IF_ERROR(DecodeFlac(content, format, options.channel, options.max_samples, name, &audio.waveform));
  } else {
    RETURN_IF_ERROR(DecodePcm(content, format, options.channel, name, &audio.waveform));
  }
  return audio;
}

absl::StatusOr<AudioInfo> DecodeAudioInfo(absl::string_view content, absl::string_view name) {
  ASSIGN_OR_RETURN(const AudioFormat format, ReadAudioHeader(content, content.size(), name));
  return ToInfo(format);
}

absl::StatusOr<Audio> ReadAudio(const std::string& path, const AudioOptions& options) {
  ASSIGN_OR_RETURN(const std::string content, ReadFile(path, options.max_bytes));
  return DecodeAudio(content, path, options);
}

absl::StatusOr<AudioInfo> ReadAudioInfo(const std::string& path, const AudioOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<InputFile> file, InputFile::Open(path));
  std::string beginning(std::min(file->size(), kUsualHeaderBytes), '\0');
  RETURN_IF_ERROR(file->Read(0, beginning.size(), &beginning[0]));
  const absl::StatusOr<AudioFormat> format = ReadAudioHeader(beginning, file->size(), path);
  if (format.ok()) return ToInfo(*format);
  if (file->size() <= kUsualHeaderBytes) return format.status();
  // Broken, or something large stands before the samples.
  ASSIGN_OR_RETURN(const std::string content, ReadFile(path, options.max_bytes));
  return DecodeAudioInfo(content, path);
}

}  // namespace earshot
