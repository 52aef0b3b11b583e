// The words of the ten digits.
#ifndef EARSHOT_DATA_DIGIT_WORDS_H_
#define EARSHOT_DATA_DIGIT_WORDS_H_

namespace earshot {

constexpr const char* kDigitWords[10] = {"zero", "one", "two",   "three", "four",
                                         "five", "six", "seven", "eight", "nine"};

}  // namespace earshot

#endif  // EARSHOT_DATA_DIGIT_WORDS_H_
