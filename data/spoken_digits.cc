#include "data/spoken_digits.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/random.h"
#include "base/status_macros.h"
#include "data/digit_words.h"
#include "data/spoken_prompt.h"

namespace earshot {
namespace {

constexpr int kSampleRate = 8000;
constexpr int kMostDigits = 50;  // of a string, whatever the caller asks for

// First stream of each part: far apart, so that the sizes do not matter.
constexpr uint64_t kTrainStreams = 0, kDevStreams = 1000000, kTestStreams = 2000000;

std::string DrawDigits(int max_digits, RandomStream* random) {
  std::vector<std::string> words(1 + random->Below(max_digits));
  for (std::string& word : words) {
    word = SpokenDigitWords()[random->Below(static_cast<uint32_t>(SpokenDigitWords().size()))];
  }
  return absl::StrJoin(words, " ");
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
  RETURN_IF_ERROR(CheckSpokenSizes("spoken_digits", options, 100000));
  const EspeakVoices& voices = SpokenCorpusVoices();
  const auto draw = [max_digits](RandomStream* random) { return DrawDigits(max_digits, random); };
  SpokenPlan plan;
  plan.kind = max_digits == kSpokenDigitsMaxWords ? "spoken_digits" : absl::StrCat("spoken_digits", max_digits);
  plan.sample_rate = kSampleRate;
  plan.train = DrawPrompts("train", options.train, voices.train, options.seed, kTrainStreams, draw);
  plan.dev = DrawPrompts("dev", options.dev, voices.dev, options.seed, kDevStreams, draw);
  plan.test = DrawPrompts("test", options.test, voices.test, options.seed, kTestStreams, draw);
  return OpenSpokenCorpus(plan, options);
}

}  // namespace earshot
