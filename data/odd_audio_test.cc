// Recordings of other projects' tests, and files of sox and own making, against what libsndfile, scipy and these
// projects say of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/testing/shared_data.h"
#include "data/audio_file.h"
#include "data/testing/audio.h"

namespace earshot {
namespace {

void ExpectNear(double actual, double expected) {
  EXPECT_NEAR(actual, expected, 2e-7 * std::max(1.0, std::abs(expected)));
}

// The rest of a "read" line, and the line of values.
void CheckRead(const std::string& path, std::ifstream* golden) {
  int rate = 0, channels = 0;
  int64_t frames = 0, step = 0;
  double expected_sum = 0;
  ASSERT_TRUE(*golden >> rate >> channels >> frames >> step >> expected_sum);
  const auto audio = ReadAudio(path);
  ASSERT_TRUE(audio.ok()) << audio.status();
  EXPECT_EQ(audio->sample_rate, rate);
  ASSERT_EQ(static_cast<int64_t>(audio->waveform.size()), frames);
  double sum = 0, magnitude = 0;
  for (int64_t i = 0; i < frames; ++i) {
    sum += audio->waveform[i];
    magnitude += std::abs(audio->waveform[i]);
    double expected = 0;
    if (i % step != 0) continue;
    ASSERT_TRUE(*golden >> expected);
    ExpectNear(audio->waveform[i], expected);
  }
  EXPECT_NEAR(sum, expected_sum, 2e-7 * std::max(1.0, magnitude));
  const auto info = ReadAudioInfo(path);
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->sample_rate, rate);
  EXPECT_EQ(info->channels, channels);
  EXPECT_EQ(info->frames, frames);
}

// Checks the golden lines of the files beside it (`own`), or of the others, which lie in `folder`. Returns their names.
std::vector<std::string> CheckAll(const std::string& folder, bool own) {
  std::ifstream golden("data/testdata/odd_audio_golden.txt");
  std::string word, name, text;
  std::getline(golden, text);  // where the numbers come from
  std::vector<std::string> names;
  while (golden >> word >> name) {
    SCOPED_TRACE(name);
    if ((name.rfind("data/testdata/", 0) == 0) != own) {
      std::getline(golden, text);
      std::getline(golden, text);
      continue;
    }
    names.push_back(name);
    if (word == "read") {
      CheckRead(folder + name, &golden);
    } else {
      EXPECT_EQ(word, "refused");
      std::getline(golden >> std::ws, text);
      ExpectError(ReadAudio(folder + name), folder + name, text);
      ExpectError(ReadAudioInfo(folder + name), folder + name, text);
    }
    if (testing::Test::HasFatalFailure()) break;
  }
  return names;
}

TEST(OddAudio, FilesOfSoxAndOwnMakingAreAsLibsndfileReadsThem) { EXPECT_EQ(CheckAll("", true).size(), 22u); }

TEST(OddAudio, TestRecordingsAreReadRightOrRefused) {
  const char* const shared = SharedData("OddAudio.TestRecordingsAreReadRightOrRefused");
  if (shared == nullptr) GTEST_SKIP();
  const std::string folder = absl::StrCat(shared, "/odd/");
  std::vector<std::string> there;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".wav") continue;
    there.push_back(entry.path().lexically_relative(folder).string());
  }
  EXPECT_THAT(CheckAll(folder, false), testing::UnorderedElementsAreArray(there));
}

}  // namespace
}  // namespace earshot
