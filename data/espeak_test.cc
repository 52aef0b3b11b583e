#include "data/espeak.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <string>

#include "data/testing/wav.h"

namespace earshot {
namespace {

using ::testing::HasSubstr;

TEST(Espeak, ReadsWavWithoutSizes) {
  std::string wav = WavBytes(kEspeakSampleRate, {1, -2, 32767, -32768});
  for (const int at : {4, 40}) wav.replace(at, 4, std::string("\xf0\xff\x7f\x7f", 4));
  EXPECT_EQ(ParseEspeakWav(wav).value(), (std::vector<int16_t>{1, -2, 32767, -32768}));
  EXPECT_TRUE(ParseEspeakWav(WavBytes(kEspeakSampleRate, {})).value().empty());
}

TEST(Espeak, WhatIsNotItsWavIsAnError) {
  EXPECT_THAT(std::string(ParseEspeakWav("").status().message()), HasSubstr("found 0 bytes"));
  EXPECT_THAT(std::string(ParseEspeakWav("an error message that is long enough to be a header").status().message()),
              HasSubstr("bytes of something else"));
  EXPECT_THAT(std::string(ParseEspeakWav(WavBytes(16000, {1})).status().message()), HasSubstr("16000 Hz"));
}

TEST(Espeak, SpeaksTheSameTwice) {
  EspeakRequest request;
  request.text = "seven";
  request.voice = "en-us+f3";
  const auto first = Speak(request);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_GT(first->size(), kEspeakSampleRate / 5u);
  EXPECT_LT(first->size(), kEspeakSampleRate * 2u);
  double power = 0;
  for (const int16_t sample : *first) power += 1.0 * sample * sample / first->size();
  EXPECT_GT(std::sqrt(power), 500);
  EXPECT_EQ(Speak(request).value(), *first);
  request.voice = "en-us+m3";
  EXPECT_NE(Speak(request).value(), *first);
  request.text = "-q";  // a text, never an option
  EXPECT_TRUE(Speak(request).ok());
}

TEST(Espeak, UnknownVoicesAreNamed) {
  EXPECT_TRUE(CheckEspeakVoices({"en-us", "en-029"}, {"f2", "klatt3"}).ok());
  EXPECT_THAT(std::string(CheckEspeakVoices({"en-mars"}, {}).message()), HasSubstr("language en-mars"));
  EXPECT_THAT(std::string(CheckEspeakVoices({}, {"f2", "nobody"}).message()), HasSubstr("variant nobody"));
  EspeakRequest request;
  request.text = "seven";
  request.voice = "xx-none";
  EXPECT_THAT(std::string(Speak(request).status().message()), HasSubstr("espeak-ng: "));
}

TEST(Espeak, AMissingProgramNamesThePackage) {
  const std::string path = getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  EspeakRequest request;
  request.text = "one";
  const absl::Status status = Speak(request).status();
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("apt-get install espeak-ng"));
}

}  // namespace
}  // namespace earshot
