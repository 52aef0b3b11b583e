// spoken_digits: the corpus that needs no download. Connected strings of 1 to 7 digits ("zero" ... "nine" and "oh"),
// spoken by espeak-ng in many voices at 8 kHz with light noise.
#ifndef EARSHOT_DATA_SPOKEN_DIGITS_H_
#define EARSHOT_DATA_SPOKEN_DIGITS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/dataset.h"
#include "data/spoken_corpus.h"

namespace earshot {

// The words, in the order of their token ids: zero, one, ... nine, oh.
const std::vector<std::string>& SpokenDigitWords();

// Sizes for digits: enough voices for a low error rate on unheard ones, spoken in about 40 s on one core (Zen 5).
SpokenOptions SpokenDigitsDefaults();

// A recording depends on (seed, part, its number), not on the sizes: a larger corpus begins with the smaller one.
// Strings have 1 to `max_digits` words (1: isolated digits), each length equally likely; InvalidArgument beyond 50.
constexpr int kSpokenDigitsMaxWords = 7;
absl::StatusOr<Corpus> OpenSpokenDigits(const SpokenOptions& options, int max_digits = kSpokenDigitsMaxWords);

}  // namespace earshot

#endif  // EARSHOT_DATA_SPOKEN_DIGITS_H_
