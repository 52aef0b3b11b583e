// The test signal of the audio tests, what they expect of a result, and the bytes of headers.
#ifndef EARSHOT_DATA_TESTING_AUDIO_H_
#define EARSHOT_DATA_TESTING_AUDIO_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "data/audio_file.h"

namespace earshot {

inline const std::vector<short> kSamples = {0, 1, -1, 1000, -1000, 32767, -32768, 12};  // NOLINT: libsndfile's type

inline void ExpectSamples(const absl::StatusOr<Audio>& audio, int sample_rate = 16000) {
  ASSERT_TRUE(audio.ok()) << audio.status();
  EXPECT_EQ(audio->sample_rate, sample_rate);
  EXPECT_THAT(audio->waveform, testing::ElementsAreArray(kSamples));
}

// One line that begins with the name of the file.
template <typename T>
void ExpectError(const absl::StatusOr<T>& result, const std::string& name, const std::string& what) {
  ASSERT_FALSE(result.ok()) << what;
  EXPECT_EQ(std::string(result.status().message()).rfind(name + ": ", 0), 0u) << result.status();
  EXPECT_THAT(std::string(result.status().message()), testing::HasSubstr(what));
  EXPECT_EQ(result.status().message().find('\n'), absl::string_view::npos) << result.status();
}

// `value` in `bytes` bytes.
inline std::string Little(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
  return text;
}
inline std::string Big(uint64_t value, int bytes) {
  const std::string text = Little(value, bytes);
  return std::string(text.rbegin(), text.rend());
}
inline std::string Number(uint64_t value, int bytes, bool big_endian) {
  return big_endian ? Big(value, bytes) : Little(value, bytes);
}

// A chunk of RIFF (little-endian) or of AIFF and RIFX, with its padding.
inline std::string Chunk(absl::string_view id, absl::string_view body, bool big_endian = false) {
  return absl::StrCat(id, Number(body.size(), 4, big_endian), body, std::string(body.size() % 2, '\0'));
}

// The first 16 bytes of a "fmt " chunk.
inline std::string WavFormat(int tag, int channels, uint32_t sample_rate, int bits, bool big_endian = false) {
  const int frame = channels * ((bits + 7) / 8);
  const auto number = [&](uint64_t value, int bytes) { return Number(value, bytes, big_endian); };
  return absl::StrCat(number(tag, 2), number(channels, 2), number(sample_rate, 4), number(sample_rate * frame, 4),
                      number(frame, 2), number(bits, 2));
}

inline std::string Riff(absl::string_view chunks) {
  return absl::StrCat("RIFF", Little(4 + chunks.size(), 4), "WAVE", chunks);
}

// kSamples in 16 bits.
inline std::string SampleBytes(bool big_endian = false) {
  std::string bytes;
  for (const int x : kSamples) bytes += Number(x, 2, big_endian);
  return bytes;
}

}  // namespace earshot

#endif  // EARSHOT_DATA_TESTING_AUDIO_H_
