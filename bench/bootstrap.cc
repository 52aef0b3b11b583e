#include "bench/bootstrap.h"

#include "base/check.h"
#include "base/random.h"
#include "bench/stats.h"

namespace earshot {
namespace {

class Resampler {
 public:
  explicit Resampler(absl::Span<const std::vector<double>> blocks) : blocks_(blocks) {
    CHECK(!blocks.empty());
    for (const std::vector<double>& block : blocks) CHECK(!block.empty());
  }

  double Median(RandomStream* random) {
    drawn_.clear();
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const std::vector<double>& block = blocks_[random->Below(static_cast<uint32_t>(blocks_.size()))];
      for (size_t j = 0; j < block.size(); ++j) {
        drawn_.push_back(block[random->Below(static_cast<uint32_t>(block.size()))]);
      }
    }
    return Quantile(drawn_, 0.5);
  }

 private:
  const absl::Span<const std::vector<double>> blocks_;
  std::vector<double> drawn_;
};

// `draw` gives one resampled value of the statistic.
template <typename Draw>
Interval PercentileInterval(Draw draw) {
  std::vector<double> values(kResamples);
  for (double& value : values) value = draw();
  return {Quantile(values, 0.025), Quantile(values, 0.975)};
}

}  // namespace

Interval MedianInterval(absl::Span<const std::vector<double>> blocks, uint64_t seed) {
  RandomStream random(seed, RandomPurpose::kResampling);
  Resampler resampler(blocks);
  return PercentileInterval([&] { return resampler.Median(&random); });
}

Interval MedianRatioInterval(absl::Span<const std::vector<double>> numerator,
                             absl::Span<const std::vector<double>> denominator, uint64_t seed) {
  RandomStream random(seed, RandomPurpose::kResampling);
  Resampler above(numerator), below(denominator);
  return PercentileInterval([&] {
    const double median = above.Median(&random);
    return median / below.Median(&random);
  });
}

}  // namespace earshot
