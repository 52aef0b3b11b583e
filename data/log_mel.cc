#include "data/log_mel.h"

#include <kissfft/kiss_fftr.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/check.h"
#include "base/status_macros.h"
#include "data/feature_config.h"

namespace earshot {
namespace {

struct FreeFft {
  void operator()(kiss_fftr_cfg fft) const { kiss_fftr_free(fft); }
};
using Fft = std::unique_ptr<std::remove_pointer<kiss_fftr_cfg>::type, FreeFft>;

std::vector<float> WindowFunction(FeatureConfig::Window kind, int length) {
  std::vector<float> window(length);
  for (int i = 0; i < length; ++i) {
    const double cosine = std::cos(2 * M_PI * i / (length - 1));
    switch (kind) {
      case FeatureConfig::POVEY:
        window[i] = std::pow(0.5 - 0.5 * cosine, 0.85);
        break;
      case FeatureConfig::HAMMING:
        window[i] = 0.54 - 0.46 * cosine;
        break;
      case FeatureConfig::HANN:
        window[i] = 0.5 - 0.5 * cosine;
        break;
    }
  }
  return window;
}

// Fixed order of addition in four strands, so that the compiler can keep the sum in registers.
double SumOfSquares(absl::Span<const float> x) {
  double sums[4] = {};
  for (size_t i = 0; i < x.size(); ++i) sums[i % 4] += static_cast<double>(x[i]) * x[i];
  return sums[0] + sums[1] + sums[2] + sums[3];
}

}  // namespace

LogMel::LogMel(const FeatureConfig& config, MelFilterbank filterbank)
    : config_(config),
      filterbank_(std::move(filterbank)),
      window_(WindowFunction(config.window(), WindowLength(config))) {}

absl::StatusOr<LogMel> LogMel::Create(const FeatureConfig& config) {
  RETURN_IF_ERROR(ValidateFeatureConfig(config));
  ASSIGN_OR_RETURN(MelFilterbank filterbank, MelFilterbank::Create(config));
  return LogMel(config, std::move(filterbank));
}

double LogMel::Prepare(absl::Span<const float> samples, absl::Span<float> padded) const {
  const int length = samples.size();
  float mean = 0;
  if (config_.remove_dc_offset()) {
    double sum = 0;
    for (float x : samples) sum += x;
    mean = sum / length;
  }
  for (int i = 0; i < length; ++i) padded[i] = samples[i] - mean;
  const double energy = config_.energy() == FeatureConfig::NO_ENERGY ? 0 : SumOfSquares(padded.first(length));
  const float coefficient = config_.preemphasis();
  for (int i = length - 1; i > 0; --i) padded[i] = (padded[i] - coefficient * padded[i - 1]) * window_[i];
  padded[0] = (padded[0] - coefficient * padded[0]) * window_[0];
  std::fill(padded.begin() + length, padded.end(), 0.0f);
  return energy;
}

void LogMel::Compute(absl::Span<const float> waveform, TensorView<float, 2> out) const {
  const int64_t frames = NumFrames(config_, waveform.size());
  CHECK_EQ(out.dim(0), frames);
  if (frames == 0) return;
  CHECK_GE(out.dim(1), NumStatics(config_));
  const int fft_length = FftLength(config_), shift = WindowShift(config_);
  const float floor = config_.htk_compatible() ? 1.0f : FLT_EPSILON;
  // A kiss_fftr state has room for intermediate values in it, so every call needs its own.
  const Fft fft(kiss_fftr_alloc(fft_length, 0, nullptr, nullptr));
  CHECK(fft != nullptr) << "out of memory";
  std::vector<float> padded(fft_length), spectrum(fft_length / 2 + 1);
  std::vector<kiss_fft_cpx> transform(fft_length / 2 + 1);

  for (int64_t t = 0; t < frames; ++t) {
    const double energy = Prepare(waveform.subspan(t * shift, window_.size()), absl::MakeSpan(padded));
    kiss_fftr(fft.get(), padded.data(), transform.data());
    for (size_t k = 0; k < spectrum.size(); ++k) {
      spectrum[k] = transform[k].r * transform[k].r + transform[k].i * transform[k].i;
    }
    if (!config_.use_power()) {
      for (float& s : spectrum) s = std::sqrt(s);
    }
    absl::Span<float> row = out.row(t).first(NumStatics(config_));
    if (config_.energy() == FeatureConfig::RAW_LOG_ENERGY) {
      row[0] = std::log(std::max(energy, static_cast<double>(FLT_EPSILON)));
      row.remove_prefix(1);
    }
    filterbank_.Apply(spectrum, row);
    for (float& bin : row) bin = std::log(std::max(bin, floor));
  }
}

}  // namespace earshot
