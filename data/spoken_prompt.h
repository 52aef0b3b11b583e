// What a spoken corpus says and how: texts, voices, levels, all drawn before anything is spoken.
#ifndef EARSHOT_DATA_SPOKEN_PROMPT_H_
#define EARSHOT_DATA_SPOKEN_PROMPT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/random.h"
#include "data/espeak.h"

namespace earshot {

// A voice is an accent of English and a variant (the "speaker": formants, pitch, breath, synthesiser). The three lists
// of variants have no member in common, and near copies of a dev or test variant (steph2, RicishayMax) are in none. The
// accents are the same in all parts.
struct EspeakVoices {
  std::vector<std::string> accents, train, dev, test;
};
const EspeakVoices& SpokenCorpusVoices();

// One recording to make. All that is random was drawn before, but for the noise's samples.
struct SpokenPrompt {
  std::string id, speaker;
  EspeakRequest request;
  float lead_seconds = 0, tail_seconds = 0;  // before and after the speech
  float peak_decibels = 0;                   // of the speech, relative to full scale
  float noise_decibels = 0;                  // speech over white noise, both as mean power
  uint64_t stream = 0;                       // of the noise's samples
};

// The prompts PART-00001, PART-00002, ... in voices of SpokenCorpusVoices().accents and `variants`. Prompt i (from 0)
// is a function of (seed, first_stream + i), and so is the stream from which `draw_text` draws its text.
std::vector<SpokenPrompt> DrawPrompts(const char* part, int count, const std::vector<std::string>& variants,
                                      uint64_t seed, uint64_t first_stream,
                                      absl::FunctionRef<std::string(RandomStream*)> draw_text);

}  // namespace earshot

#endif  // EARSHOT_DATA_SPOKEN_PROMPT_H_
