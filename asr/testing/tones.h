// Utterances of tones: every word has a pitch of its own.
#ifndef EARSHOT_ASR_TESTING_TONES_H_
#define EARSHOT_ASR_TESTING_TONES_H_

#include <cmath>
#include <string>

#include "absl/strings/str_split.h"
#include "base/random.h"
#include "data/utterance.h"

namespace earshot {

// 0.2 s a word at 8 kHz, with some noise; an empty text is 0.2 s of noise. The pitch follows from the word's length.
inline Utterance MakeTones(const std::string& id, const std::string& text) {
  Utterance utterance;
  utterance.id = id;
  utterance.speaker = "tone";
  utterance.text = text;
  utterance.sample_rate = 8000;
  RandomStream random(3, RandomPurpose::kTest, id.size());
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    for (int i = 0; i < 1600; ++i) {
      const double tone = word.empty() ? 0 : std::sin(2 * M_PI * 300 * static_cast<double>(word.size()) * i / 8000);
      utterance.waveform.push_back(static_cast<float>(5000 * tone + 50 * random.Normal()));
    }
  }
  return utterance;
}

}  // namespace earshot

#endif  // EARSHOT_ASR_TESTING_TONES_H_
