#include "data/audio_file.h"

#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "data/audio_format.h"

namespace earshot {
namespace {

constexpr float kFullScale = 32768;
constexpr int kBlockFrames = 4096;

// A file in memory as libsndfile's virtual file.
struct MemoryFile {
  absl::string_view content;
  sf_count_t position = 0;
};

sf_count_t Length(void* user) { return static_cast<MemoryFile*>(user)->content.size(); }

sf_count_t Tell(void* user) { return static_cast<MemoryFile*>(user)->position; }

sf_count_t Seek(sf_count_t offset, int whence, void* user) {
  auto* file = static_cast<MemoryFile*>(user);
  const sf_count_t size = file->content.size();
  const sf_count_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->position : size;
  // Broken headers ask for positions far outside; there is nothing to read there.
  if (offset < -base) offset = -base;
  file->position = offset > size - base ? size : base + offset;
  return file->position;
}

sf_count_t Read(void* to, sf_count_t count, void* user) {
  auto* file = static_cast<MemoryFile*>(user);
  const sf_count_t left = static_cast<sf_count_t>(file->content.size()) - file->position;
  count = std::max<sf_count_t>(0, std::min(count, left));
  std::memcpy(to, file->content.data() + file->position, count);
  file->position += count;
  return count;
}

struct CloseSound {
  void operator()(SNDFILE* sound) const { sf_close(sound); }
};

struct OpenFile {
  MemoryFile memory;
  SF_INFO info = {};
  std::unique_ptr<SNDFILE, CloseSound> sound;
};

std::string FormatName(const SF_INFO& info) {
  SF_FORMAT_INFO major = {}, minor = {};
  major.format = info.format & SF_FORMAT_TYPEMASK;
  minor.format = info.format & SF_FORMAT_SUBMASK;
  sf_command(nullptr, SFC_GET_FORMAT_INFO, &major, sizeof(major));
  sf_command(nullptr, SFC_GET_FORMAT_INFO, &minor, sizeof(minor));
  return absl::StrCat(major.name == nullptr ? "unknown format" : major.name, ", ",
                      minor.name == nullptr ? "unknown coding" : minor.name);
}

bool Allowed(const SF_INFO& info) {
  switch (info.format & SF_FORMAT_TYPEMASK) {
    case SF_FORMAT_WAV:
    case SF_FORMAT_WAVEX:
    case SF_FORMAT_RF64:
    case SF_FORMAT_FLAC:
    case SF_FORMAT_AIFF:
    case SF_FORMAT_NIST:
      break;
    default:
      return false;
  }
  switch (info.format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8:
    case SF_FORMAT_PCM_16:
    case SF_FORMAT_PCM_24:
    case SF_FORMAT_PCM_32:
    case SF_FORMAT_FLOAT:
    case SF_FORMAT_DOUBLE:
    case SF_FORMAT_ULAW:
    case SF_FORMAT_ALAW:
      return true;
    default:
      return false;  // ADPCM, GSM and the like
  }
}

absl::Status CheckInfo(const SF_INFO& info) {
  if (!Allowed(info)) {
    return absl::InvalidArgumentError(absl::StrCat(
        FormatName(info), " is not read; PCM, float, mu-law or A-law in WAV, FLAC, AIFF or NIST SPHERE expected"));
  }
  if (info.samplerate < kMinSampleRate || info.samplerate > kMaxSampleRate) {
    return absl::InvalidArgumentError(
        absl::StrCat("sample rate ", info.samplerate, " Hz; ", kMinSampleRate, " to ", kMaxSampleRate, " Hz expected"));
  }
  if (info.channels < 1 || info.channels > kMaxAudioChannels) {
    return absl::InvalidArgumentError(absl::StrCat(info.channels, " channels; 1 to ", kMaxAudioChannels, " expected"));
  }
  return absl::OkStatus();
}

absl::Status Open(absl::string_view content, OpenFile* file) {
  RETURN_IF_ERROR(CheckAudioFormat(content));
  file->memory.content = content;
  SF_VIRTUAL_IO io = {};
  io.get_filelen = Length;
  io.seek = Seek;
  io.read = Read;
  io.tell = Tell;
  {
    // Why a file could not be opened is kept in a global of libsndfile.
    static std::mutex mutex;
    std::lock_guard<std::mutex> lock(mutex);
    file->sound.reset(sf_open_virtual(&io, SFM_READ, &file->info, &file->memory));
    if (file->sound == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("broken audio header: ", sf_strerror(nullptr)));
    }
  }
  return CheckInfo(file->info);
}

bool FramesKnown(const SF_INFO& info) {
  const bool flac = (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC;
  return info.frames < SF_COUNT_MAX && !(flac && info.frames == 0);
}

// Appends `frames` interleaved frames as mono samples: the channel asked for, or the mean of all for -1. Returns -1 or
// the first frame with a sample that is not finite.
int64_t AppendMono(const float* interleaved, int64_t frames, int channels, int channel, std::vector<float>* waveform) {
  const int first = channel < 0 ? 0 : channel, last = channel < 0 ? channels - 1 : channel;
  for (int64_t i = 0; i < frames; ++i) {
    float sum = 0;
    for (int c = first; c <= last; ++c) sum += interleaved[i * channels + c];
    const float sample = sum * kFullScale / (last - first + 1);
    if (!std::isfinite(sample)) return i;
    waveform->push_back(sample);
  }
  return -1;
}

absl::StatusOr<Audio> Decode(absl::string_view content, const AudioOptions& options) {
  OpenFile file;
  RETURN_IF_ERROR(Open(content, &file));
  const SF_INFO& info = file.info;
  if (options.channel >= info.channels) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a channel ", options.channel, " (counted from 0), found ", info.channels, " channels"));
  }
  Audio audio;
  audio.sample_rate = info.samplerate;
  // A header may lie, so it decides only how much is set aside at first.
  if (FramesKnown(info)) audio.waveform.reserve(std::min<int64_t>(info.frames, 1 << 22));
  std::vector<float> block(kBlockFrames * info.channels);
  while (true) {
    const int64_t frames = sf_readf_float(file.sound.get(), block.data(), kBlockFrames);
    if (frames <= 0) break;
    const int64_t before = audio.waveform.size();
    if ((before + frames) * info.channels > options.max_samples) {
      return absl::ResourceExhaustedError(absl::StrCat("more than ", options.max_samples, " samples"));
    }
    const int64_t bad = AppendMono(block.data(), frames, info.channels, options.channel, &audio.waveform);
    if (bad >= 0) return absl::InvalidArgumentError(absl::StrCat("sample ", before + bad, " is NaN or infinite"));
  }
  const int64_t decoded = audio.waveform.size();
  if (sf_error(file.sound.get()) != SF_ERR_NO_ERROR) {
    return absl::DataLossError(absl::StrCat("broken after ", decoded, " samples: ", sf_strerror(file.sound.get())));
  }
  if (FramesKnown(info) && decoded < info.frames) {
    return absl::DataLossError(
        absl::StrCat("cut short: the header promises ", info.frames, " samples, ", decoded, " could be decoded"));
  }
  return audio;
}

}  // namespace

absl::StatusOr<Audio> DecodeAudio(absl::string_view content, absl::string_view name, const AudioOptions& options) {
  absl::StatusOr<Audio> audio = Decode(content, options);
  if (!audio.ok()) return Annotate(audio.status(), name);
  return audio;
}

absl::StatusOr<AudioInfo> DecodeAudioInfo(absl::string_view content, absl::string_view name) {
  OpenFile file;
  const absl::Status status = Open(content, &file);
  if (!status.ok()) return Annotate(status, name);
  AudioInfo info;
  info.sample_rate = file.info.samplerate;
  info.channels = file.info.channels;
  if (FramesKnown(file.info)) info.frames = file.info.frames;
  return info;
}

absl::StatusOr<Audio> ReadAudio(const std::string& path, const AudioOptions& options) {
  ASSIGN_OR_RETURN(const std::string content, ReadFile(path, options.max_bytes));
  return DecodeAudio(content, path, options);
}

absl::StatusOr<AudioInfo> ReadAudioInfo(const std::string& path, const AudioOptions& options) {
  ASSIGN_OR_RETURN(const std::string content, ReadFile(path, options.max_bytes));
  return DecodeAudioInfo(content, path);
}

}  // namespace earshot
