#include "data/spoken_sentences.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/random.h"
#include "base/status_macros.h"
#include "data/spoken_prompt.h"

namespace earshot {
namespace {

constexpr int kSampleRate = 16000;
constexpr uint64_t kTrainStreams = 3000000, kDevStreams = 4000000, kTestStreams = 5000000;

using Words = std::vector<std::string>;

// One sentence: subject, verb, object, place or time.
std::string DrawSentence(RandomStream* random) {
  static const auto& adjectives =
      *new Words{"old", "young", "quick", "lazy", "quiet", "brave", "tall", "happy", "careful", "kind"};
  static const auto& people = *new Words{"doctor", "queen",  "farmer",   "girl",    "boy",   "judge",
                                         "singer", "player", "engineer", "teacher", "pilot", "nurse"};
  static const auto& names = *new Words{"jack", "anna", "victor", "mary", "peter", "zoe", "max", "ruth"};
  static const auto& verbs = *new Words{"found", "sold",  "saw",  "bought",  "wanted", "painted",
                                        "lost",  "fixed", "kept", "carried", "made",   "moved"};
  static const auto& numbers =
      *new Words{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
  static const auto& things =
      *new Words{"box", "boat", "lamp", "zebra", "book", "clock", "chair", "horse", "jar", "map", "window", "violin"};
  static const auto& places = *new Words{"in the garden",   "by the river", "near the bridge", "at home",
                                         "on the mountain", "in town",      "behind the shop", "under the tree"};
  static const auto& times = *new Words{"yesterday", "last week", "before lunch", "in june", "after dark", "again"};
  const auto pick = [random](const Words& words) -> const std::string& {
    return words[random->Below(static_cast<uint32_t>(words.size()))];
  };
  Words parts;
  if (random->Bernoulli(0.4f)) {
    parts.push_back(pick(names));
  } else {
    parts.push_back("the");
    if (random->Bernoulli(0.5f)) parts.push_back(pick(adjectives));
    parts.push_back(pick(people));
  }
  parts.push_back(pick(verbs));
  if (random->Bernoulli(0.4f)) {
    const std::string& number = pick(numbers);
    const std::string& thing = pick(things);
    const bool hissing = thing.back() == 'x';
    parts.push_back(number);
    parts.push_back(number == "one" ? thing : absl::StrCat(thing, hissing ? "es" : "s"));
  } else {
    parts.push_back(random->Bernoulli(0.5f) ? "a" : "the");
    parts.push_back(pick(things));
  }
  if (random->Bernoulli(0.7f)) parts.push_back(random->Bernoulli(0.5f) ? pick(places) : pick(times));
  return absl::StrJoin(parts, " ");
}

}  // namespace

SpokenOptions SpokenSentencesDefaults() {
  SpokenOptions options;
  options.train = 400;
  options.dev = 50;
  options.test = 50;
  return options;
}

absl::StatusOr<Corpus> OpenSpokenSentences(const SpokenOptions& options) {
  RETURN_IF_ERROR(CheckSpokenSizes("spoken_sentences", options, 10000));
  const EspeakVoices& voices = SpokenCorpusVoices();
  std::set<std::string> used;
  const auto draw = [&used](RandomStream* random) {  // the grammar has more than a hundred thousand sentences
    std::string sentence = DrawSentence(random);
    while (!used.insert(sentence).second) sentence = DrawSentence(random);
    return sentence;
  };
  SpokenPlan plan;
  plan.kind = "spoken_sentences";
  plan.sample_rate = kSampleRate;
  plan.test = DrawPrompts("test", options.test, voices.test, options.seed, kTestStreams, draw);
  plan.dev = DrawPrompts("dev", options.dev, voices.dev, options.seed, kDevStreams, draw);
  plan.train = DrawPrompts("train", options.train, voices.train, options.seed, kTrainStreams, draw);
  return OpenSpokenCorpus(plan, options);
}

}  // namespace earshot
