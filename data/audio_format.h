// What an audio file is, from its header alone: which samples lie where. Pure functions over the file's bytes; no word
// of a header is believed that the file's size contradicts.
#ifndef EARSHOT_DATA_AUDIO_FORMAT_H_
#define EARSHOT_DATA_AUDIO_FORMAT_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace earshot {

constexpr int kMinSampleRate = 1000;    // Hz
constexpr int kMaxSampleRate = 384000;  // Hz
constexpr int kMaxAudioChannels = 8;

struct AudioFormat {
  enum Coding { kSigned, kUnsigned, kFloat, kALaw, kMuLaw, kFlac };
  Coding coding = kSigned;
  int sample_rate = 0;  // Hz, kMinSampleRate to kMaxSampleRate
  int channels = 0;     // 1 to kMaxAudioChannels
  // Samples of one channel; -1: only a decoder knows (FLAC that was streamed).
  int64_t frames = -1;

  // Where the samples lie; not for kFlac. `frames` frames of `channels` samples of `sample_bytes` from byte `begin` on.
  int64_t begin = 0;
  int sample_bytes = 2;  // 1 to 8 (integers); 4 or 8 (float)
  int valid_bits = 16;   // of an integer, at most 8 * sample_bytes: see pcm.h
  bool big_endian = false;

  int64_t frame_bytes() const { return int64_t{channels} * sample_bytes; }
};

// For the readers of headers: OK within the ranges above; `rate_byte` and `channels_byte` say where the numbers
// stand in the file.
absl::Status CheckRateAndChannels(double sample_rate, int64_t rate_byte, int64_t channels, int64_t channels_byte,
                                  absl::string_view name);

}  // namespace earshot

#endif  // EARSHOT_DATA_AUDIO_FORMAT_H_
