// Writes a corpus in FSDD's form for command-line tests: make_tones FOLDER. Digits 0 to 2 are tones of different pitch,
// takes differ in length and noise.
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/random.h"
#include "data/testing/wav.h"

int main(int argc, char** argv) {
  CHECK_EQ(argc, 2);
  constexpr int kSampleRate = 8000, kTakes = 24;
  for (int digit = 0; digit < 3; ++digit) {
    for (int take = 0; take < kTakes; ++take) {
      earshot::RandomStream random(1, earshot::RandomPurpose::kTest, take, digit);
      std::vector<int16_t> samples(1200 + random.Below(800));
      for (size_t i = 0; i < samples.size(); ++i) {
        const double tone = std::sin(2 * M_PI * (300 + 500 * digit) * static_cast<double>(i) / kSampleRate);
        samples[i] = static_cast<int16_t>(6000 * tone + 200 * random.Normal());
      }
      earshot::WriteTestFile(absl::StrCat(argv[1], "/", digit, "_tone_", take, ".wav"),
                             earshot::WavBytes(kSampleRate, samples));
    }
  }
  return 0;
}
