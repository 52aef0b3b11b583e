#include "data/flac.h"

#include <sndfile.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/read_error.h"

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
using Sound = std::unique_ptr<SNDFILE, CloseSound>;

absl::Status Open(absl::string_view name, MemoryFile* memory, SF_INFO* info, Sound* sound) {
  SF_VIRTUAL_IO io = {};
  io.get_filelen = Length;
  io.seek = Seek;
  io.read = Read;
  io.tell = Tell;
  // Why a file could not be opened is kept in a global of libsndfile.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  sound->reset(sf_open_virtual(&io, SFM_READ, info, memory));
  if (*sound != nullptr) return absl::OkStatus();
  return ByteError(name, memory->position, "FLAC frames", absl::StrCat("broken ones: ", sf_strerror(nullptr)));
}

// Appends `frames` interleaved frames as mono samples: the channel asked for, or the mean of all for -1.
void AppendMono(const float* interleaved, int64_t frames, int channels, int channel, std::vector<float>* waveform) {
  const int first = channel < 0 ? 0 : channel, last = channel < 0 ? channels - 1 : channel;
  for (int64_t i = 0; i < frames; ++i) {
    float sum = 0;
    for (int c = first; c <= last; ++c) sum += interleaved[i * channels + c];
    waveform->push_back(sum * kFullScale / (last - first + 1));
  }
}

}  // namespace

absl::Status DecodeFlac(absl::string_view content, const AudioFormat& format, int channel, int64_t max_samples,
                        absl::string_view name, std::vector<float>* waveform) {
  CHECK(format.coding == AudioFormat::kFlac && channel < format.channels);
  MemoryFile memory;
  memory.content = content;
  SF_INFO info = {};
  Sound sound;
  const absl::Status opened = Open(name, &memory, &info, &sound);
  if (!opened.ok()) return opened;
  if (info.channels != format.channels || info.samplerate != format.sample_rate) {
    return ByteError(name, 18, "the rate and channels of all frames",
                     absl::StrCat(info.samplerate, " Hz and ", info.channels, " channels in libsndfile"));
  }
  // A header may lie, so it decides only how much is set aside at first.
  waveform->reserve(std::clamp<int64_t>(format.frames, 0, content.size()));
  std::vector<float> block(kBlockFrames * info.channels);
  while (true) {
    const int64_t frames = sf_readf_float(sound.get(), block.data(), kBlockFrames);
    if (frames <= 0) break;
    if ((static_cast<int64_t>(waveform->size()) + frames) * info.channels > max_samples) {
      return ByteError(name, memory.position, absl::StrCat("at most ", max_samples, " samples"), "more");
    }
    AppendMono(block.data(), frames, info.channels, channel, waveform);
  }
  const int64_t decoded = waveform->size();
  if (sf_error(sound.get()) != SF_ERR_NO_ERROR) {
    return ByteError(name, memory.position, "whole FLAC frames",
                     absl::StrCat("a broken one after ", decoded, " samples: ", sf_strerror(sound.get())));
  }
  if (decoded < format.frames) {
    return ByteError(name, content.size(), absl::StrCat(format.frames, " samples, which the header promises"),
                     absl::StrCat(decoded, ": the file is cut short or broken"));
  }
  return absl::OkStatus();
}

}  // namespace earshot
