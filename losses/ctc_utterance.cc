#include "losses/ctc_utterance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "losses/ctc_log_space.h"
#include "losses/exps.h"

namespace earshot {
namespace {

template <typename T>
T* Gradient(const CtcProblem<T>& p, int t) {
  return p.dlogits + (p.offsets[t] + p.b) * p.classes;
}

template <typename T>
void ZeroGradient(const CtcProblem<T>& p) {
  for (int t = 0; t < p.frames; ++t) std::fill_n(Gradient(p, t), p.classes, T(0));
}

// The same in log space. The logits are finite.
template <typename T>
double InLogSpace(const CtcProblem<T>& p, CtcWorkspace* workspace) {
  const int states = 2 * static_cast<int>(p.labels.size()) + 1;
  const auto symbol = [&](int s) { return s % 2 == 1 ? p.labels[s / 2] : p.blank; };
  const auto logits = [&](int t) { return p.logits + (p.offsets[t] + p.b) * p.classes; };
  workspace->exps.Resize({WholeVectors(p.classes)});
  double* const exps = workspace->exps.data();
  std::vector<double>& log_emissions = workspace->log_emissions;
  log_emissions.resize(static_cast<size_t>(p.frames) * states);
  double largest;
  for (int t = 0; t < p.frames; ++t) {
    const double log_sum = std::log(ComputeExps(logits(t), p.classes, -1, exps, &largest));
    double* const emission = &log_emissions[static_cast<size_t>(t) * states];
    for (int s = 0; s < states; ++s) emission[s] = (logits(t)[symbol(s)] - largest) - log_sum;
  }
  const double loss = CtcLogSpace(log_emissions, p.frames, p.labels, &workspace->occupancies);
  if (loss == std::numeric_limits<double>::infinity()) {
    ZeroGradient(p);
    return loss;
  }
  for (int t = 0; t < p.frames; ++t) {
    const double sum = ComputeExps(logits(t), p.classes, -1, exps, &largest);
    for (int c = 0; c < p.classes; ++c) exps[c] /= sum;
    const double* const occupancy = &workspace->occupancies[static_cast<size_t>(t) * states];
    for (int s = 0; s < states; ++s) exps[symbol(s)] -= occupancy[s];
    ScaleExps(exps, p.classes, p.scale, Gradient(p, t));
  }
  return loss;
}

}  // namespace

int64_t CtcMinFrames(absl::Span<const int32_t> labels) {
  int64_t frames = static_cast<int64_t>(labels.size());
  for (size_t k = 1; k < labels.size(); ++k) frames += labels[k] == labels[k - 1] ? 1 : 0;
  return frames;
}

template <typename T>
double CtcUtterance(TensorView<const T, 2> logits, const Packing& packing, int b, absl::Span<const int32_t> labels,
                    int blank, T scale, TensorView<T, 2> dlogits, CtcWorkspace* workspace) {
  CtcProblem<T> problem;
  problem.logits = logits.data();
  problem.dlogits = dlogits.data();
  problem.offsets = packing.offsets().data();
  problem.b = b;
  problem.frames = packing.lengths()[b];
  problem.classes = static_cast<int>(logits.dim(1));
  problem.labels = labels;
  problem.blank = blank;
  problem.scale = scale;
  double loss = std::numeric_limits<double>::infinity();
  if (CtcMinFrames(labels) > problem.frames) {
    ZeroGradient(problem);
  } else if (!CtcLinear(problem, &workspace->linear, &loss)) {
    loss = InLogSpace(problem, workspace);
  }
  if (scale == 0) ZeroGradient(problem);  // exactly, whatever the logits are
  return loss;
}

template double CtcUtterance(TensorView<const float, 2>, const Packing&, int, absl::Span<const int32_t>, int, float,
                             TensorView<float, 2>, CtcWorkspace*);
template double CtcUtterance(TensorView<const double, 2>, const Packing&, int, absl::Span<const int32_t>, int, double,
                             TensorView<double, 2>, CtcWorkspace*);

}  // namespace earshot
