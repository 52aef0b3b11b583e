#include "data/spoken_digits.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/random.h"
#include "data/digit_words.h"

namespace earshot {
namespace {

constexpr int kSampleRate = 8000;
constexpr int kMostDigits = 50;  // of a string, whatever the caller asks for

// First stream of each part: far apart, so that the sizes do not matter.
constexpr uint64_t kTrainStreams = 0, kDevStreams = 1000000, kTestStreams = 2000000;

std::vector<SpokenPrompt> MakePart(const char* part, int count, int max_digits,
                                   const std::vector<std::string>& variants, uint64_t seed, uint64_t first_stream) {
  std::vector<SpokenPrompt> prompts;
  for (int i = 0; i < count; ++i) {
    RandomStream random(seed, RandomPurpose::kCorpus, first_stream + i, 0);
    std::vector<std::string> words(1 + random.Below(max_digits));
    for (std::string& word : words) {
      word = SpokenDigitWords()[random.Below(static_cast<uint32_t>(SpokenDigitWords().size()))];
    }
    prompts.push_back(DrawPrompt(absl::StrFormat("%s-%05d", part, i + 1), absl::StrJoin(words, " "),
                                 SpokenCorpusVoices().accents, variants, seed, first_stream + i));
  }
  return prompts;
}

}  // namespace

const std::vector<std::string>& SpokenDigitWords() {
  static const auto& words = *new std::vector<std::string>([] {
    std::vector<std::string> all(kDigitWords, kDigitWords + 10);
    all.push_back("oh");
    return all;
  }());
  return words;
}

const EspeakVoices& SpokenCorpusVoices() {
  static const auto& voices = *new EspeakVoices{
      // accents; espeak-ng 1.51 ignores the variants of "en-gb"
      {"en-us", "en-029", "en-gb-scotland", "en-gb-x-gbclan", "en-gb-x-gbcwmd", "en-gb-x-rp", "en-us-nyc"},
      // train
      {"Alex",    "Andrea",   "Andy",   "Annie",  "AnxiousAndy", "Denis",   "Diogo",   "Gene",   "Gene2", "Henrique",
       "Hugo",    "Jacky",    "Lee",    "Marco",  "Mario",       "Michael", "Nguyen",  "adam",   "anika", "aunty",
       "belinda", "benjamin", "boris",  "croak",  "ed",          "edward",  "edward2", "f1",     "f3",    "grandma",
       "grandpa", "gustave",  "iven",   "iven3",  "iven4",       "klatt",   "klatt2",  "klatt4", "linda", "m1",
       "m2",      "m4",       "m5",     "m8",     "marcelo",     "michel",  "miguel",  "paul",   "pedro", "quincy",
       "rob",     "robert",   "sandro", "shelby", "travis",      "victor",  "zac"},
      // dev
      {"Storm", "f4", "klatt5", "m6", "norbert", "steph"},
      // test
      {"Alicia", "Mike", "antonio", "david", "f2", "f5", "klatt3", "m3", "m7", "max"}};
  return voices;
}

SpokenOptions SpokenDigitsDefaults() {
  SpokenOptions options;
  options.train = 2400;
  options.dev = 200;
  options.test = 400;
  return options;
}

absl::StatusOr<Corpus> OpenSpokenDigits(const SpokenOptions& options, int max_digits) {
  if (max_digits < 1 || max_digits > kMostDigits) {
    return absl::InvalidArgumentError(
        absl::StrCat("spoken_digits: strings of up to ", max_digits, " digits, expected 1 to ", kMostDigits));
  }
  for (const int size : {options.train, options.dev, options.test}) {
    if (size >= 1 && size <= 100000) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("spoken_digits: a part of ", size, " utterances, expected 1 to 100000"));
  }
  const EspeakVoices& voices = SpokenCorpusVoices();
  SpokenPlan plan;
  plan.kind = max_digits == kSpokenDigitsMaxWords ? "spoken_digits" : absl::StrCat("spoken_digits", max_digits);
  plan.sample_rate = kSampleRate;
  plan.accents = voices.accents;
  for (const auto* variants : {&voices.train, &voices.dev, &voices.test}) {
    plan.variants.insert(plan.variants.end(), variants->begin(), variants->end());
  }
  plan.train = MakePart("train", options.train, max_digits, voices.train, options.seed, kTrainStreams);
  plan.dev = MakePart("dev", options.dev, max_digits, voices.dev, options.seed, kDevStreams);
  plan.test = MakePart("test", options.test, max_digits, voices.test, options.seed, kTestStreams);
  return OpenSpokenCorpus(plan, options);
}

}  // namespace earshot
