// Speech from the espeak-ng program (Debian package espeak-ng). The program is run; its library, which is under the
// GPL, is never linked.
#ifndef EARSHOT_DATA_ESPEAK_H_
#define EARSHOT_DATA_ESPEAK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace earshot {

constexpr int kEspeakSampleRate = 22050;  // Hz, of every voice used here

struct EspeakRequest {
  std::string text;
  std::string voice = "en-us";  // an accent, or an accent and a variant: "en-us+f2"
  int words_per_minute = 175;   // 80 to 450
  int pitch = 50;               // 0 to 99, relative to the voice's own
  int word_gap = 0;             // pause between words, 10 ms at the default speed
};

// Mono samples at kEspeakSampleRate. The same request gives the same samples with the same version of the program.
// NotFound, with the package's name, when the program is missing; Internal when it fails or says something odd.
absl::StatusOr<std::vector<int16_t>> Speak(const EspeakRequest& request);

// What the program says of its version, one line.
absl::StatusOr<std::string> EspeakVersion();

// NotFound names the first of the accents ("en-us") and voice variants ("f2") that this installation does not have.
// (espeak-ng itself speaks with its default voice when it does not know a variant.)
absl::Status CheckEspeakVoices(const std::vector<std::string>& accents, const std::vector<std::string>& variants);

// The samples of espeak-ng's output: a WAV file whose sizes are not filled in.
absl::StatusOr<std::vector<int16_t>> ParseEspeakWav(absl::string_view bytes);

}  // namespace earshot

#endif  // EARSHOT_DATA_ESPEAK_H_
