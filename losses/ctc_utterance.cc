// Linear space in double with a power of two taken out of every frame. What it can lose is bounded: a product that
// falls below the smallest double, 2^-1022, in units in which alpha and beta of the frame are at most about 3. Whether
// that matters shows in sum_s alpha_t(s) beta_t(s), the probability of the labels in the same units: while it is above
// kSafe at every frame, all that was lost is below 1e-20 of it. Otherwise (logits hundreds apart against the labels)
// the utterance is done again in log space.
#include "losses/ctc_utterance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "losses/ctc_log_space.h"

namespace earshot {
namespace {

constexpr double kSafe = 1e-280;

// In eight fixed lanes, which the compiler turns into vectors.
double Sum(const double* x, int n) {
  double lanes[8] = {};
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    for (int j = 0; j < 8; ++j) lanes[j] += x[i + j];
  }
  for (; i < n; ++i) lanes[0] += x[i];
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

// exps[c] = exp(x[c] - max x); returns their sum, NaN when an x is not finite.
template <typename T>
double Exps(const T* x, int n, double* exps, double* largest) {
  double max = x[0], poison = 0;
  for (int c = 0; c < n; ++c) {
    max = x[c] > max ? x[c] : max;
    poison += x[c] * 0.0;
  }
  for (int c = 0; c < n; ++c) exps[c] = std::exp(x[c] - max);
  *largest = max;
  return Sum(exps, n) + poison;
}

// The power of two that brings `sum` into [1, 2), and its exponent.
double Rescale(double sum, int64_t* exponent) {
  const int e = std::ilogb(sum);
  *exponent += e;
  return std::ldexp(1.0, -e);
}

// One utterance: its rows, its sizes, its memory.
template <typename T>
class Utterance {
 public:
  Utterance(TensorView<const T, 2> logits, const Packing& packing, int b, absl::Span<const int32_t> labels, int blank,
            T scale, TensorView<T, 2> dlogits, CtcWorkspace* workspace)
      : logits_(logits),
        packing_(packing),
        b_(b),
        frames_(packing.lengths()[b]),
        classes_(static_cast<int>(logits.dim(1))),
        labels_(labels),
        num_labels_(static_cast<int>(labels.size())),
        blank_(blank),
        scale_(scale),
        dlogits_(dlogits),
        w_(*workspace) {
    w_.exps.resize(classes_);
  }

  // The public function's value. Writes the gradient.
  double Run() {
    if (CtcMinFrames(labels_) > frames_) return Impossible();
    ResizeWorkspace();
    const double log_normalizers = Softmax();
    if (!std::isfinite(log_normalizers)) return std::numeric_limits<double>::quiet_NaN();
    double log_paths;
    if (!Forward(&log_paths) || !Backward()) return InLogSpace();
    const double loss = log_normalizers - log_paths;
    return loss < 0 ? 0 : loss;  // rounding
  }

  void ZeroGradient() {
    for (int t = 0; t < frames_; ++t) std::fill_n(Gradient(t), classes_, T(0));
  }

 private:
  const T* Logits(int t) const { return logits_.data() + packing_.row(t, b_) * classes_; }
  T* Gradient(int t) const { return dlogits_.data() + packing_.row(t, b_) * classes_; }
  double* AlphaBlank(int t) const { return &w_.alpha_blank[static_cast<size_t>(t) * (num_labels_ + 1)]; }
  double* AlphaLabel(int t) const { return &w_.alpha_label[static_cast<size_t>(t) * (num_labels_ + 1)]; }
  double* LabelEmission(int t) const { return w_.label_emission.data() + static_cast<size_t>(t) * num_labels_; }

  double Impossible() {
    ZeroGradient();
    return std::numeric_limits<double>::infinity();
  }

  void ResizeWorkspace() {
    const size_t states = static_cast<size_t>(num_labels_) + 1;
    w_.blank_emission.resize(frames_);
    w_.label_emission.resize(frames_ * (states - 1));
    w_.alpha_blank.resize(frames_ * states);
    w_.alpha_label.resize(frames_ * states);
    w_.may_skip.assign(states, 0);
    for (int k = 1; k < num_labels_; ++k) w_.may_skip[k] = labels_[k] != labels_[k - 1] ? 1 : 0;
    w_.beta_blank.assign(states, 0);
    w_.beta_label.assign(states - 1, 0);
    w_.next_blank.assign(states, 0);
    w_.next_label.assign(states, 0);
    w_.occupancy_blank.resize(states);
    w_.occupancy_label.resize(states - 1);
  }

  // Writes the softmax into the gradient and collects the emissions, both against the frame's largest logit. Returns
  // the sum over frames of log(sum of exps).
  double Softmax() {
    double log_normalizers = 0;
    for (int t = 0; t < frames_; ++t) {
      double largest;
      const double sum = Exps(Logits(t), classes_, w_.exps.data(), &largest);
      log_normalizers += std::log(sum);
      T* const gradient = Gradient(t);
      for (int c = 0; c < classes_; ++c) gradient[c] = static_cast<T>(w_.exps[c] / sum);
      w_.blank_emission[t] = w_.exps[blank_];
      double* const emission = LabelEmission(t);
      for (int k = 0; k < num_labels_; ++k) emission[k] = w_.exps[labels_[k]];
    }
    return log_normalizers;
  }

  // Fills alpha (equations 5 to 7). False when a frame has nothing left in linear space.
  bool Forward(double* log_paths) {
    const int n = num_labels_;
    std::fill_n(AlphaBlank(0), n + 1, 0.0);
    std::fill_n(AlphaLabel(0), n + 1, 0.0);
    AlphaBlank(0)[0] = w_.blank_emission[0];
    if (n > 0) AlphaLabel(0)[1] = LabelEmission(0)[0];
    int64_t exponent = 0;
    for (int t = 1; t < frames_; ++t) {
      const double* __restrict before_blank = AlphaBlank(t - 1);
      const double* __restrict before_label = AlphaLabel(t - 1);
      const double sum = Sum(before_blank, n + 1) + Sum(before_label, n + 1);
      if (!(sum > 0)) return false;
      const double scale = Rescale(sum, &exponent);
      const double blank_emission = w_.blank_emission[t] * scale;
      const double* __restrict emission = LabelEmission(t);
      const double* __restrict may_skip = w_.may_skip.data();
      double* __restrict blank = AlphaBlank(t);
      double* __restrict label = AlphaLabel(t);
      for (int k = 0; k <= n; ++k) blank[k] = (before_blank[k] + before_label[k]) * blank_emission;
      label[0] = 0;
      for (int k = 0; k < n; ++k) {
        label[k + 1] = (before_label[k + 1] + before_blank[k] + may_skip[k] * before_label[k]) * (emission[k] * scale);
      }
    }
    const double last = AlphaBlank(frames_ - 1)[n] + (n > 0 ? AlphaLabel(frames_ - 1)[n] : 0.0);
    *log_paths = std::log(last) + static_cast<double>(exponent) * M_LN2;
    return last > kSafe;
  }

  // Takes the occupancies off the softmax, last frame first. False when linear space may have lost paths.
  bool Backward() {
    const int n = num_labels_;
    w_.beta_blank[n] = 1;
    if (n > 0) w_.beta_label[n - 1] = 1;
    for (int t = frames_ - 1; t >= 0; --t) {
      if (t < frames_ - 1) BetaOfFrame(t);
      if (!SubtractOccupancy(t)) return false;
    }
    return true;
  }

  // beta of frame t from beta of frame t + 1 (equations 9 to 11, but without the frame's own emission).
  void BetaOfFrame(int t) {
    const int n = num_labels_;
    double* __restrict blank = w_.beta_blank.data();
    double* __restrict label = w_.beta_label.data();
    double* __restrict next_blank = w_.next_blank.data();
    double* __restrict next_label = w_.next_label.data();
    const double* __restrict may_skip = w_.may_skip.data();
    const double* __restrict emission = LabelEmission(t + 1);
    int64_t unused = 0;
    const double scale = Rescale(Sum(blank, n + 1) + Sum(label, n), &unused);
    const double blank_emission = w_.blank_emission[t + 1] * scale;
    for (int k = 0; k <= n; ++k) next_blank[k] = blank[k] * blank_emission;
    for (int k = 0; k < n; ++k) next_label[k] = label[k] * (emission[k] * scale);
    for (int k = 0; k <= n; ++k) blank[k] = next_blank[k] + next_label[k];
    for (int k = 0; k < n; ++k) label[k] = next_label[k] + next_blank[k + 1] + may_skip[k + 1] * next_label[k + 1];
  }

  bool SubtractOccupancy(int t) {
    const int n = num_labels_;
    const double* __restrict alpha_blank = AlphaBlank(t);
    const double* __restrict alpha_label = AlphaLabel(t) + 1;
    double* __restrict blank = w_.occupancy_blank.data();
    double* __restrict label = w_.occupancy_label.data();
    for (int k = 0; k <= n; ++k) blank[k] = alpha_blank[k] * w_.beta_blank[k];
    for (int k = 0; k < n; ++k) label[k] = alpha_label[k] * w_.beta_label[k];
    const double blanks = Sum(blank, n + 1), paths = blanks + Sum(label, n);
    if (!(paths > kSafe)) return false;
    T* const gradient = Gradient(t);
    double* const row = w_.exps.data();
    for (int c = 0; c < classes_; ++c) row[c] = gradient[c];
    row[blank_] -= blanks / paths;
    const double inverse = 1 / paths;
    for (int k = 0; k < n; ++k) row[labels_[k]] -= label[k] * inverse;
    for (int c = 0; c < classes_; ++c) gradient[c] = static_cast<T>(scale_ * row[c]);
    return true;
  }

  double InLogSpace() {
    const int states = 2 * num_labels_ + 1;
    const auto symbol = [&](int s) { return s % 2 == 1 ? labels_[s / 2] : blank_; };
    w_.log_emissions.resize(static_cast<size_t>(frames_) * states);
    for (int t = 0; t < frames_; ++t) {
      double largest;
      const double log_sum = std::log(Exps(Logits(t), classes_, w_.exps.data(), &largest));
      double* const emission = &w_.log_emissions[static_cast<size_t>(t) * states];
      for (int s = 0; s < states; ++s) emission[s] = (Logits(t)[symbol(s)] - largest) - log_sum;
    }
    const double loss = CtcLogSpace(w_.log_emissions, frames_, labels_, &w_.occupancies);
    if (loss == std::numeric_limits<double>::infinity()) return Impossible();
    for (int t = 0; t < frames_; ++t) {
      double largest;
      const double sum = Exps(Logits(t), classes_, w_.exps.data(), &largest);
      for (double& e : w_.exps) e /= sum;
      const double* const occupancy = &w_.occupancies[static_cast<size_t>(t) * states];
      for (int s = 0; s < states; ++s) w_.exps[symbol(s)] -= occupancy[s];
      for (int c = 0; c < classes_; ++c) Gradient(t)[c] = static_cast<T>(scale_ * w_.exps[c]);
    }
    return loss;
  }

  const TensorView<const T, 2> logits_;
  const Packing& packing_;
  const int b_, frames_, classes_;
  const absl::Span<const int32_t> labels_;
  const int num_labels_, blank_;
  const T scale_;
  const TensorView<T, 2> dlogits_;
  CtcWorkspace& w_;
};

}  // namespace

int64_t CtcMinFrames(absl::Span<const int32_t> labels) {
  int64_t frames = static_cast<int64_t>(labels.size());
  for (size_t k = 1; k < labels.size(); ++k) frames += labels[k] == labels[k - 1] ? 1 : 0;
  return frames;
}

template <typename T>
double CtcUtterance(TensorView<const T, 2> logits, const Packing& packing, int b, absl::Span<const int32_t> labels,
                    int blank, T scale, TensorView<T, 2> dlogits, CtcWorkspace* workspace) {
  Utterance<T> utterance(logits, packing, b, labels, blank, scale, dlogits, workspace);
  const double loss = utterance.Run();
  if (scale == 0) utterance.ZeroGradient();  // exactly, whatever the logits are
  return loss;
}

template double CtcUtterance(TensorView<const float, 2>, const Packing&, int, absl::Span<const int32_t>, int, float,
                             TensorView<float, 2>, CtcWorkspace*);
template double CtcUtterance(TensorView<const double, 2>, const Packing&, int, absl::Span<const int32_t>, int, double,
                             TensorView<double, 2>, CtcWorkspace*);

}  // namespace earshot
