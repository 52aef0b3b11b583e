// Triangular filters that are equally wide on the mel scale, mel(f) = 1127 ln(1 + f / 700).
#ifndef EARSHOT_DATA_MEL_FILTERBANK_H_
#define EARSHOT_DATA_MEL_FILTERBANK_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "data/data.pb.h"

namespace earshot {

class MelFilterbank {
 public:
  // Errors: a filter so narrow that no point of the spectrum lies in it (its edges are named). `config` is valid.
  static absl::StatusOr<MelFilterbank> Create(const FeatureConfig& config);

  // bins[b] = sum over k of weight[b][k] * spectrum[k]; spectrum [fft_length / 2 + 1] (power or magnitude).
  void Apply(absl::Span<const float> spectrum, absl::Span<float> bins) const;

 private:
  struct Filter {
    int first = 0;               // index into the spectrum
    std::vector<float> weights;  // of the points first, first + 1, ...
  };
  std::vector<Filter> filters_;
};

}  // namespace earshot

#endif  // EARSHOT_DATA_MEL_FILTERBANK_H_
