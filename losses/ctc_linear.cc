// Linear space in double with a power of two taken out of every frame. What it can lose is bounded: a product that
// falls below the smallest double, 2^-1022, in units in which alpha and beta of the frame are at most about 3. Whether
// that matters shows in sum_s alpha_t(s) beta_t(s), the probability of the labels in the same units: while it is above
// kSafe at every frame, all that was lost is below 1e-20 of it. Otherwise (logits hundreds apart against the labels)
// the utterance is to be done in log space.
#include "losses/ctc_linear.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "losses/ctc_linear.cc"
#include <hwy/foreach_target.h>  // compiles what follows once an instruction set
#include <hwy/highway.h>

#include "losses/doubles-inl.h"
#include "losses/exps.h"

#ifndef EARSHOT_LOSSES_CTC_LINEAR_CC_SHARED_
#define EARSHOT_LOSSES_CTC_LINEAR_CC_SHARED_
namespace earshot {

constexpr double kSafe = 1e-280;
constexpr int64_t kPad = 8;  // doubles of the longest vector

}  // namespace earshot
#endif  // EARSHOT_LOSSES_CTC_LINEAR_CC_SHARED_

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace {

// The power of two that brings positive normal numbers into [1, 2).
HWY_INLINE V InversePowerOfTwo(Tag d, V x) {
  const hn::RebindToUnsigned<Tag> du;
  const auto exponent = hn::ShiftRight<52>(hn::BitCast(du, x));
  return hn::BitCast(d, hn::ShiftLeft<52>(hn::Sub(hn::Set(du, 2046), exponent)));
}

// One utterance: its sizes and its memory. Columns are labels k in [0, L) and blanks in [0, L]; blank k comes before
// label k. What fills up the columns stays 0, for its emissions are.
template <typename T>
class Utterance {
 public:
  Utterance(const CtcProblem<T>& problem, CtcLinearWorkspace* workspace)
      : p_(problem), w_(*workspace), labels_(problem.labels.size()), width_(WholeVectors(labels_ + 1)) {}

  bool Run(double* loss) {
    Prepare();
    const double log_normalizers = Softmax();
    *loss = log_normalizers;
    if (std::isnan(log_normalizers)) return true;
    double log_paths;
    if (!Forward(&log_paths) || !Backward()) return false;
    *loss = std::max(log_normalizers - log_paths, 0.0);  // rounding
    return true;
  }

 private:
  int64_t Row(int t) const { return (p_.offsets[t] + p_.b) * p_.classes; }
  double* LabelEmission(int t) const { return w_.label_emission.data() + t * width_; }
  double* AlphaLabel(int t) const { return w_.alpha.data() + t * (kPad + 2 * width_) + kPad; }

  void Prepare() {
    const int64_t frames = p_.frames, classes = WholeVectors(p_.classes);
    w_.exps.Resize({classes});
    w_.by_class.Resize({classes});
    w_.by_class.Fill(0);
    w_.blank_emission.Resize({frames + 1});
    w_.label_emission.Resize({(frames + 1) * width_ + kPad});
    w_.alpha.Resize({frames * (kPad + 2 * width_)});
    w_.beta.Resize({2 * (width_ + kPad)});
    w_.occupancy.Resize({width_});
    w_.may_skip.Resize({width_ + kPad});
    w_.may_skip.Fill(0);
    for (int64_t k = 1; k < labels_; ++k) w_.may_skip.data()[k] = p_.labels[k] != p_.labels[k - 1] ? 1 : 0;
  }

  // Writes the softmax into the gradient and collects the emissions, both against the frame's largest logit. Returns
  // the sum over frames of log(sum of exps).
  double Softmax() {
    double log_normalizers = 0, product = 1;
    const double* const exps = w_.exps.data();
    for (int t = 0; t < p_.frames; ++t) {
      double largest;
      const double sum = ComputeExps(p_.logits + Row(t), p_.classes, -1, w_.exps.data(), &largest);
      product *= sum;
      if (!(product < 1e250)) {  // fewer logarithms: a sum is at least 1 and at most C
        log_normalizers += std::log(product);
        product = 1;
      }
      ScaleExps(exps, p_.classes, 1 / sum, p_.dlogits + Row(t));
      w_.blank_emission.data()[t] = exps[p_.blank];
      double* const emission = LabelEmission(t);
      for (int64_t k = 0; k < labels_; ++k) emission[k] = exps[p_.labels[k]];
      std::fill(emission + labels_, emission + width_, 0.0);
    }
    // Behind the last frame: a certain blank, so that the recursion of beta starts itself.
    w_.blank_emission.data()[p_.frames] = 1;
    std::fill_n(LabelEmission(p_.frames), width_ + kPad, 0.0);
    return log_normalizers + std::log(product);
  }

  // Fills alpha (equations 5 to 7). False when a frame has nothing left in linear space.
  bool Forward(double* log_paths) {
    const Tag d;
    const int64_t lanes = hn::Lanes(d);
    const double* const may_skip = w_.may_skip.data();
    double* label = AlphaLabel(0);
    std::fill_n(label - kPad, kPad + 2 * width_, 0.0);
    label[width_] = w_.blank_emission.data()[0];
    label[0] = LabelEmission(0)[0];  // 0 without labels
    V sum = hn::Set(d, label[0] + label[width_]);
    int64_t exponent = 0;
    for (int t = 1; t < p_.frames; ++t) {
      const double first = hn::GetLane(sum);
      if (!(first >= std::numeric_limits<double>::min())) return false;
      exponent += std::ilogb(first);
      const V scale = InversePowerOfTwo(d, sum),
              blank_emission = hn::Mul(hn::Set(d, w_.blank_emission.data()[t]), scale);
      const double* const before = label;
      const double* const emission = LabelEmission(t);
      label = AlphaLabel(t);
      label[-1] = 0;
      V labels = hn::Zero(d), blanks = hn::Zero(d);
      for (int64_t k = 0; k < width_; k += lanes) {
        const V own = hn::LoadU(d, before + k), last = hn::LoadU(d, before + k - 1);
        const V blank = hn::LoadU(d, before + width_ + k);
        const V to_blank = hn::Mul(hn::Add(blank, last), blank_emission);
        const V to_label = hn::Mul(hn::MulAdd(hn::LoadU(d, may_skip + k), last, hn::Add(own, blank)),
                                   hn::Mul(hn::LoadU(d, emission + k), scale));
        hn::StoreU(to_label, d, label + k);
        hn::StoreU(to_blank, d, label + width_ + k);
        labels = hn::Add(labels, to_label);
        blanks = hn::Add(blanks, to_blank);
      }
      sum = hn::SumOfLanes(d, hn::Add(labels, blanks));
    }
    const double end = label[width_ + labels_] + (labels_ > 0 ? label[labels_ - 1] : 0.0);
    *log_paths = std::log(end) + static_cast<double>(exponent) * M_LN2;
    return end > kSafe;
  }

  // Takes the occupancies off the softmax, last frame first. False when linear space may have lost paths.
  bool Backward() {
    const Tag d;
    w_.beta.Fill(0);
    w_.beta.data()[width_ + kPad + labels_] = 1;
    V sum = hn::Set(d, 1.0);
    for (int t = p_.frames - 1; t >= 0; --t) {
      V labels, blanks;
      BetaOfFrame(t, &sum, &labels, &blanks);
      const double of_blank = hn::GetLane(hn::SumOfLanes(d, blanks));
      const double paths = of_blank + hn::GetLane(hn::SumOfLanes(d, labels));
      if (!(paths > kSafe)) return false;
      double* const by_class = w_.by_class.data();
      const double* const occupancy = w_.occupancy.data();
      for (int64_t k = 0; k < labels_; ++k) by_class[p_.labels[k]] += occupancy[k];
      by_class[p_.blank] = of_blank;
      SubtractOccupancy(1 / paths, p_.dlogits + Row(t));
    }
    return true;
  }

  // beta of frame t from beta of frame t + 1, in place (equations 9 to 11, but without the frame's own emission), with
  // `sum` of all states before and after. Writes alpha * beta of the labels and returns its sums.
  HWY_INLINE void BetaOfFrame(int t, V* sum, V* labels, V* blanks) {
    const Tag d;
    const int64_t lanes = hn::Lanes(d);
    double* const label = w_.beta.data();
    double* const blank = label + width_ + kPad;
    const double* const emission = LabelEmission(t + 1);
    const double* const may_skip = w_.may_skip.data() + 1;
    const double* const alpha = AlphaLabel(t);
    const V scale = InversePowerOfTwo(d, *sum);
    const V blank_emission = hn::Mul(hn::Set(d, w_.blank_emission.data()[t + 1]), scale);
    V beta_sum = hn::Zero(d);
    *labels = *blanks = hn::Zero(d);
    for (int64_t k = 0; k < width_; k += lanes) {
      const V own = hn::Mul(hn::LoadU(d, label + k), hn::Mul(hn::LoadU(d, emission + k), scale));
      const V next = hn::Mul(hn::LoadU(d, label + k + 1), hn::Mul(hn::LoadU(d, emission + k + 1), scale));
      const V stay = hn::Mul(hn::LoadU(d, blank + k), blank_emission);
      const V between = hn::Mul(hn::LoadU(d, blank + k + 1), blank_emission);
      const V of_blank = hn::Add(stay, own);
      const V of_label = hn::MulAdd(hn::LoadU(d, may_skip + k), next, hn::Add(own, between));
      hn::StoreU(of_label, d, label + k);
      hn::StoreU(of_blank, d, blank + k);
      beta_sum = hn::Add(beta_sum, hn::Add(of_label, of_blank));
      const V occupancy = hn::Mul(of_label, hn::LoadU(d, alpha + k));
      hn::StoreU(occupancy, d, w_.occupancy.data() + k);
      *labels = hn::Add(*labels, occupancy);
      *blanks = hn::MulAdd(of_blank, hn::LoadU(d, alpha + width_ + k), *blanks);
    }
    *sum = hn::SumOfLanes(d, beta_sum);
  }

  // gradient = scale * (gradient - factor * by_class); clears by_class.
  HWY_INLINE void SubtractOccupancy(double factor, T* gradient) {
    const Tag d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    double* const by_class = w_.by_class.data();
    const double scale = p_.scale;
    int c = 0;
    for (; c + lanes <= p_.classes; c += lanes) {
      const V rest = hn::NegMulAdd(hn::LoadU(d, by_class + c), hn::Set(d, factor), LoadDoubles(d, gradient + c));
      StoreDoubles(hn::Mul(hn::Set(d, scale), rest), d, gradient + c);
      hn::StoreU(hn::Zero(d), d, by_class + c);
    }
    for (; c < p_.classes; ++c) {
      gradient[c] = static_cast<T>(scale * (gradient[c] - by_class[c] * factor));
      by_class[c] = 0;
    }
  }

  const CtcProblem<T>& p_;
  CtcLinearWorkspace& w_;
  const int64_t labels_, width_;
};

bool RunFloat(const CtcProblem<float>& problem, CtcLinearWorkspace* workspace, double* loss) {
  return Utterance<float>(problem, workspace).Run(loss);
}
bool RunDouble(const CtcProblem<double>& problem, CtcLinearWorkspace* workspace, double* loss) {
  return Utterance<double>(problem, workspace).Run(loss);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace earshot {

HWY_EXPORT(RunFloat);
HWY_EXPORT(RunDouble);

bool CtcLinear(const CtcProblem<float>& problem, CtcLinearWorkspace* workspace, double* loss) {
  return HWY_DYNAMIC_DISPATCH(RunFloat)(problem, workspace, loss);
}
bool CtcLinear(const CtcProblem<double>& problem, CtcLinearWorkspace* workspace, double* loss) {
  return HWY_DYNAMIC_DISPATCH(RunDouble)(problem, workspace, loss);
}

}  // namespace earshot
#endif  // HWY_ONCE
