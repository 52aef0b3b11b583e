#include "data/spoken_prompt.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace earshot {
namespace {

// An accent and a variant, speed, pitch, pauses, level and noise.
SpokenPrompt DrawPrompt(const std::string& id, const std::string& text, const std::vector<std::string>& variants,
                        uint64_t seed, uint64_t stream) {
  RandomStream random(seed, RandomPurpose::kCorpus, stream, 2);
  SpokenPrompt prompt;
  prompt.id = id;
  prompt.stream = stream;
  prompt.request.text = text;
  const std::vector<std::string>& accents = SpokenCorpusVoices().accents;
  const std::string& accent = accents[random.Below(static_cast<uint32_t>(accents.size()))];
  prompt.speaker = absl::StrCat(accent, "+", variants[random.Below(static_cast<uint32_t>(variants.size()))]);
  prompt.request.voice = prompt.speaker;
  prompt.request.words_per_minute = 130 + static_cast<int>(random.Below(91));
  prompt.request.pitch = 20 + static_cast<int>(random.Below(61));
  prompt.request.word_gap = static_cast<int>(random.Below(7));
  prompt.lead_seconds = random.Uniform(0.03f, 0.12f);
  prompt.tail_seconds = random.Uniform(0.03f, 0.12f);
  prompt.peak_decibels = random.Uniform(-20, -1);
  prompt.noise_decibels = random.Uniform(20, 40);
  return prompt;
}

}  // namespace

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

std::vector<SpokenPrompt> DrawPrompts(const char* part, int count, const std::vector<std::string>& variants,
                                      uint64_t seed, uint64_t first_stream,
                                      absl::FunctionRef<std::string(RandomStream*)> draw_text) {
  std::vector<SpokenPrompt> prompts;
  for (int i = 0; i < count; ++i) {
    RandomStream random(seed, RandomPurpose::kCorpus, first_stream + i, 0);
    prompts.push_back(
        DrawPrompt(absl::StrFormat("%s-%05d", part, i + 1), draw_text(&random), variants, seed, first_stream + i));
  }
  return prompts;
}

}  // namespace earshot
