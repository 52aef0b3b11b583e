#include "data/spoken_digits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "absl/strings/str_split.h"
#include "base/file.h"
#include "data/espeak.h"
#include "data/spoken_prompt.h"
#include "data/spoken_sentences.h"
#include "data/testing/wav.h"

namespace earshot {
namespace {

using ::testing::HasSubstr;

SpokenOptions Small(const std::string& folder) {
  SpokenOptions options;
  options.train = 12;
  options.dev = 3;
  options.test = 5;
  options.cache_folder = folder;
  options.show_progress = false;
  return options;
}

SpokenOptions Tiny(const std::string& folder) {
  SpokenOptions options = Small(folder);
  options.train = options.dev = options.test = 1;
  return options;
}

std::string CachePath(const std::string& folder) { return folder + "/spoken_digits-1-1-1-1.spoken"; }

std::string Content(const std::string& path) { return ReadFile(path, 1 << 24).value(); }

std::string Variant(const std::string& speaker) { return speaker.substr(speaker.find('+') + 1); }

// Everything of a corpus in one string.
std::string Fingerprint(const Corpus& corpus) {
  std::ostringstream out;
  for (const Dataset* part : {corpus.train.get(), corpus.dev.get(), corpus.test.get()}) {
    for (int64_t i = 0; i < part->size(); ++i) {
      const Utterance utterance = part->Get(i).value();
      out << utterance.id << " " << utterance.speaker << " " << utterance.text << ":";
      for (const float x : utterance.waveform) out << " " << x;
      out << "\n";
    }
  }
  return out.str();
}

TEST(SpokenDigits, VoicesOfThePartsAreDisjoint) {
  const EspeakVoices& voices = SpokenCorpusVoices();
  std::set<std::string> all;
  for (const auto* list : {&voices.train, &voices.dev, &voices.test}) all.insert(list->begin(), list->end());
  EXPECT_EQ(all.size(), voices.train.size() + voices.dev.size() + voices.test.size());
  EXPECT_GE(voices.test.size(), 10u);
}

TEST(SpokenDigits, EveryVoiceIsAnother) {
  // espeak-ng answers a variant that it does not know or heed with the accent's own voice.
  const EspeakVoices& voices = SpokenCorpusVoices();
  std::vector<std::string> speakers;
  for (const std::string& accent : voices.accents) {
    for (const std::string& variant : voices.test) speakers.push_back(accent + "+" + variant);
  }
  for (const auto* list : {&voices.train, &voices.dev}) {
    for (const std::string& variant : *list) speakers.push_back("en-us+" + variant);
  }
  std::set<std::vector<int16_t>> sounds;
  for (const std::string& speaker : speakers) {
    EspeakRequest request;
    request.text = "four";
    request.voice = speaker;
    const auto sound = Speak(request);
    ASSERT_TRUE(sound.ok()) << sound.status();
    EXPECT_TRUE(sounds.insert(*sound).second) << speaker;
  }
}

TEST(SpokenDigits, StringsOfOneToSevenDigitsAtEightKilohertz) {
  const std::string folder = MakeTestFolder("strings");
  const auto corpus = OpenSpokenDigits(Small(folder));
  ASSERT_TRUE(corpus.ok()) << corpus.status();
  EXPECT_EQ(corpus->kind, "spoken_digits");
  EXPECT_EQ(corpus->train->size(), 12);
  EXPECT_EQ(corpus->dev->size(), 3);
  EXPECT_EQ(corpus->test->size(), 5);
  const EspeakVoices& voices = SpokenCorpusVoices();
  std::set<std::string> ids;
  const auto check = [&](const Dataset& part, const std::vector<std::string>& variants) {
    for (int64_t i = 0; i < part.size(); ++i) {
      const Utterance utterance = part.Get(i).value();
      ids.insert(utterance.id);
      EXPECT_EQ(utterance.sample_rate, 8000);
      EXPECT_EQ(std::count(variants.begin(), variants.end(), Variant(utterance.speaker)), 1) << utterance.speaker;
      const std::vector<std::string> words = absl::StrSplit(utterance.text, ' ');
      EXPECT_LE(words.size(), 7u);
      for (const std::string& word : words) {
        EXPECT_EQ(std::count(SpokenDigitWords().begin(), SpokenDigitWords().end(), word), 1) << word;
      }
      EXPECT_GT(utterance.waveform.size(), 8000 * 0.1 * words.size());
      EXPECT_LT(utterance.waveform.size(), 8000 * (0.4 + 1.2 * words.size()));
      const auto [low, high] = std::minmax_element(utterance.waveform.begin(), utterance.waveform.end());
      EXPECT_GT(*high - *low, 3000) << utterance.id;
    }
  };
  check(*corpus->train, voices.train);
  check(*corpus->dev, voices.dev);
  check(*corpus->test, voices.test);
  EXPECT_EQ(ids.size(), 20u);
}

TEST(SpokenDigits, TheSameForAnyNumberOfThreadsAndFromTheCache) {
  const std::string one = MakeTestFolder("one"), many = MakeTestFolder("many");
  SpokenOptions options = Tiny(one);
  options.train = 6;
  options.num_threads = 1;
  const std::string expected = Fingerprint(OpenSpokenDigits(options).value());
  const std::string path = getenv("PATH");
  setenv("PATH", "/nowhere", 1);  // the cache alone
  const auto again = OpenSpokenDigits(options);
  const absl::Status missing = OpenSpokenDigits(Tiny(many)).status();
  setenv("PATH", path.c_str(), 1);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(Fingerprint(*again), expected);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("apt-get install espeak-ng"));
  options.cache_folder = many;
  options.num_threads = 7;
  EXPECT_EQ(Fingerprint(OpenSpokenDigits(options).value()), expected);
  EXPECT_EQ(Content(one + "/spoken_digits-1-6-1-1.spoken"), Content(many + "/spoken_digits-1-6-1-1.spoken"));
  options.seed = 2;
  EXPECT_NE(Fingerprint(OpenSpokenDigits(options).value()), expected);
}

TEST(SpokenDigits, ALargerCorpusBeginsWithTheSmallerOne) {
  SpokenOptions options = Tiny(MakeTestFolder("sizes"));
  options.train = 2;
  options.dev = 1;
  options.test = 1;
  const Corpus small = OpenSpokenDigits(options).value();
  options.train = 4;
  const Corpus large = OpenSpokenDigits(options).value();
  EXPECT_EQ(large.train->size(), 4);
  EXPECT_EQ(small.train->Get(1).value().waveform, large.train->Get(1).value().waveform);
  EXPECT_EQ(small.test->Get(0).value().waveform, large.test->Get(0).value().waveform);
}

TEST(SpokenDigits, StringsMayBeSingleDigits) {
  SpokenOptions options = Tiny(MakeTestFolder("single"));
  options.train = 8;
  const Corpus corpus = OpenSpokenDigits(options, 1).value();
  for (int i = 0; i < 8; ++i) EXPECT_EQ(corpus.train->Get(i).value().text.find(' '), std::string::npos);
  EXPECT_THAT(std::string(OpenSpokenDigits(options, 0).status().message()),
              HasSubstr("up to 0 digits, expected 1 to "));
}

TEST(SpokenDigits, ADamagedCacheIsMadeAnew) {
  const std::string folder = MakeTestFolder("damage");
  const std::string expected = Fingerprint(OpenSpokenDigits(Tiny(folder)).value());
  const std::string good = Content(CachePath(folder));
  ASSERT_GT(good.size(), 1000u);
  for (const size_t bytes : {size_t{0}, size_t{5}, size_t{11}, good.size() / 2, good.size() - 1}) {
    WriteTestFile(CachePath(folder), good.substr(0, bytes));
    testing::internal::CaptureStderr();
    EXPECT_EQ(Fingerprint(OpenSpokenDigits(Tiny(folder)).value()), expected);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr(CachePath(folder) + ": byte "));
    EXPECT_EQ(Content(CachePath(folder)), good);
  }
  for (const size_t at : {size_t{3}, size_t{9}, size_t{40}, good.size() / 2, good.size() - 1}) {
    std::string bad = good;
    bad[at] ^= 4;
    WriteTestFile(CachePath(folder), bad);
    EXPECT_EQ(Fingerprint(OpenSpokenDigits(Tiny(folder)).value()), expected);
    EXPECT_EQ(Content(CachePath(folder)), good);
  }
}

TEST(SpokenDigits, ACacheThatCannotBeWrittenIsNoError) {
  const std::string folder = MakeTestFolder("file");
  WriteTestFile(folder + "/taken", "a file where the folder should be");
  testing::internal::CaptureStderr();
  const auto corpus = OpenSpokenDigits(Tiny(folder + "/taken"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("not kept for the next run"));
  EXPECT_TRUE(corpus.ok()) << corpus.status();
}

TEST(SpokenDigits, SeveralUsersOfOneCacheAtOnce) {
  const std::string folder = MakeTestFolder("together");
  std::vector<std::string> found(3);
  std::vector<std::thread> threads;
  for (std::string& print : found) {
    threads.emplace_back([&] { print = Fingerprint(OpenSpokenDigits(Tiny(folder)).value()); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST(SpokenDigits, TheCacheFolderFollowsTheEnvironment) {
  setenv("XDG_CACHE_HOME", "/a/b", 1);
  EXPECT_EQ(DefaultCacheFolder().value(), "/a/b/earshot");
  setenv("XDG_CACHE_HOME", "relative", 1);  // to be ignored, says the XDG specification
  setenv("HOME", "/home/u", 1);
  EXPECT_EQ(DefaultCacheFolder().value(), "/home/u/.cache/earshot");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_THAT(std::string(DefaultCacheFolder().status().message()), HasSubstr("neither XDG_CACHE_HOME nor HOME"));
  SpokenOptions options = Small("");
  EXPECT_THAT(std::string(OpenSpokenDigits(options).status().message()), HasSubstr("neither XDG_CACHE_HOME nor HOME"));
  options.dev = 0;
  EXPECT_THAT(std::string(OpenSpokenDigits(options).status().message()), HasSubstr("a part of 0 utterances"));
}

TEST(SpokenSentences, NoSentenceIsInTwoParts) {
  const auto corpus = OpenSpokenSentences(Small(MakeTestFolder("sentences")));
  ASSERT_TRUE(corpus.ok()) << corpus.status();
  EXPECT_EQ(corpus->kind, "spoken_sentences");
  std::set<std::string> texts;
  for (const Dataset* part : {corpus->train.get(), corpus->dev.get(), corpus->test.get()}) {
    for (int64_t i = 0; i < part->size(); ++i) {
      const Utterance utterance = part->Get(i).value();
      EXPECT_EQ(utterance.sample_rate, 16000);
      EXPECT_EQ(utterance.text.find_first_not_of("abcdefghijklmnopqrstuvwxyz "), std::string::npos) << utterance.text;
      texts.insert(utterance.text);
    }
  }
  EXPECT_EQ(texts.size(), 20u);
}

}  // namespace
}  // namespace earshot
