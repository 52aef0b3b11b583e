#include "data/mel_filterbank.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "data/feature_config.h"

namespace earshot {
namespace {

double Mel(double frequency) { return 1127 * std::log(1 + frequency / 700); }

double InverseMel(double mel) { return 700 * (std::exp(mel / 1127) - 1); }

// The piecewise linear warping of vocal tract length normalisation: slope 1 / warp between the break points, and the
// edges of the filterbank stay where they are. Kaldi and HTK place the break points differently.
class Warping {
 public:
  explicit Warping(const FeatureConfig& config)
      : warp_(config.vtln_warp()), low_(config.low_frequency()), high_(UpperEdge(config)) {
    const double low_cut = config.vtln_low_frequency();
    const double high_cut =
        config.vtln_high_frequency() + (config.vtln_high_frequency() > 0 ? 0 : 0.5 * config.sample_rate());
    if (config.htk_compatible()) {
      low_break_ = low_cut * 2 / (1 + 1 / warp_);
      high_break_ = high_cut * 2 / (1 + 1 / warp_);
    } else {
      low_break_ = low_cut * std::max(1.0, warp_);
      high_break_ = high_cut * std::min(1.0, warp_);
    }
  }

  double operator()(double f) const {
    if (warp_ == 1 || f < low_ || f > high_) return f;
    if (f < low_break_) return low_ + (f - low_) * (low_break_ / warp_ - low_) / (low_break_ - low_);
    if (f > high_break_) return high_ + (f - high_) * (high_ - high_break_ / warp_) / (high_ - high_break_);
    return f / warp_;
  }

 private:
  double warp_, low_, high_, low_break_, high_break_;
};

}  // namespace

absl::StatusOr<MelFilterbank> MelFilterbank::Create(const FeatureConfig& config) {
  const int num_bins = config.num_mel_bins(), fft_length = FftLength(config);
  const double resolution = static_cast<double>(config.sample_rate()) / fft_length;  // Hz between points
  const double mel_low = Mel(config.low_frequency()), mel_high = Mel(UpperEdge(config));
  const Warping warping(config);
  std::vector<double> edges(num_bins + 2);  // of filter b: edges[b], its peak edges[b + 1], edges[b + 2]
  for (int i = 0; i < num_bins + 2; ++i) {
    const double mel = mel_low + (mel_high - mel_low) * i / (num_bins + 1);
    edges[i] = config.vtln_warp() == 1 ? mel : Mel(warping(InverseMel(mel)));
  }
  // Half the sample rate itself belongs to no filter. HTK also leaves out what rounds to below the lower edge.
  int first_point = 1, last_point = fft_length / 2 - 1;
  if (config.htk_compatible()) {
    first_point = std::max(1, static_cast<int>(config.low_frequency() / resolution + 1.5));
    last_point = std::min(last_point, static_cast<int>(UpperEdge(config) / resolution - 0.5));
  }

  MelFilterbank bank;
  for (int b = 0; b < num_bins; ++b) {
    const double left = edges[b], peak = edges[b + 1], right = edges[b + 2];
    Filter filter;
    for (int k = first_point; k <= last_point; ++k) {
      const double mel = Mel(k * resolution);
      if (mel <= left || mel >= right) continue;
      if (filter.weights.empty()) filter.first = k;
      filter.weights.push_back(mel <= peak ? (mel - left) / (peak - left) : (right - mel) / (right - peak));
    }
    if (filter.weights.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "features.num_mel_bins: ", num_bins, "; fewer expected: filter ", b, " from ", InverseMel(left), " to ",
          InverseMel(right), " Hz lies between two points of the spectrum, which are ", resolution, " Hz apart"));
    }
    bank.filters_.push_back(std::move(filter));
  }
  return bank;
}

void MelFilterbank::Apply(absl::Span<const float> spectrum, absl::Span<float> bins) const {
  CHECK_EQ(bins.size(), filters_.size());
  for (size_t b = 0; b < filters_.size(); ++b) {
    const Filter& filter = filters_[b];
    float sum = 0;
    for (size_t k = 0; k < filter.weights.size(); ++k) sum += filter.weights[k] * spectrum[filter.first + k];
    bins[b] = sum;
  }
}

}  // namespace earshot
