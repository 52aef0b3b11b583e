// spoken_sentences: short sentences of a small grammar, spoken by espeak-ng at 16 kHz in the voices of spoken_digits.
// It stands in for a corpus of continuous speech where there is none at hand.
#ifndef EARSHOT_DATA_SPOKEN_SENTENCES_H_
#define EARSHOT_DATA_SPOKEN_SENTENCES_H_

#include "absl/status/statusor.h"
#include "data/dataset.h"
#include "data/spoken_corpus.h"

namespace earshot {

SpokenOptions SpokenSentencesDefaults();

// Lower-case texts of letters and spaces. No sentence is in two parts, and the test voices are only in the test. A
// recording depends on (seed, part, its number) and on the sentences of the parts before (test, then dev, then train).
absl::StatusOr<Corpus> OpenSpokenSentences(const SpokenOptions& options);

}  // namespace earshot

#endif  // EARSHOT_DATA_SPOKEN_SENTENCES_H_
