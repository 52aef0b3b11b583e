// A corpus in memory: every word is a tone of its own pitch.
#ifndef EARSHOT_ASR_TESTING_TONES_H_
#define EARSHOT_ASR_TESTING_TONES_H_

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "base/random.h"
#include "data/dataset.h"

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

// One without a waveform cannot be read.
class MemoryDataset : public Dataset {
 public:
  explicit MemoryDataset(std::vector<Utterance> utterances) : utterances_(std::move(utterances)) {}
  int64_t size() const override { return static_cast<int64_t>(utterances_.size()); }
  Utterance Describe(int64_t i) const override {
    Utterance utterance = utterances_[i];
    utterance.waveform.clear();
    return utterance;
  }
  absl::StatusOr<Utterance> Get(int64_t i) const override {
    if (utterances_[i].waveform.empty()) return absl::DataLossError(utterances_[i].id + ": no waveform");
    return utterances_[i];
  }

 private:
  const std::vector<Utterance> utterances_;
};

}  // namespace earshot

#endif  // EARSHOT_ASR_TESTING_TONES_H_
