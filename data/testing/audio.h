// The test signal of the audio tests, and what they expect of a result.
#ifndef EARSHOT_DATA_TESTING_AUDIO_H_
#define EARSHOT_DATA_TESTING_AUDIO_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/audio_file.h"
#include "data/testing/wav.h"

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

// kSamples in 16 bits.
inline std::string SampleBytes(bool big_endian = false) {
  std::string bytes;
  for (const int x : kSamples) bytes += Number(x, 2, big_endian);
  return bytes;
}

}  // namespace earshot

#endif  // EARSHOT_DATA_TESTING_AUDIO_H_
