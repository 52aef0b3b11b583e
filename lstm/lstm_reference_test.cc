// The derivatives of the definition: against complex-step differentiation, exact to rounding, and against central
// differences of stacks of levels.
#include <algorithm>
#include <complex>
#include <vector>

#include <gtest/gtest.h>

#include "base/packing.h"
#include "base/random.h"
#include "base/testing/complex_step.h"
#include "base/testing/near.h"
#include "base/thread_pool.h"
#include "lstm/lstm_params.h"
#include "lstm/reference/recursion.h"

namespace earshot {
namespace {

// A stack of levels over one batch. Its variables are one vector: the parameters of every level, then x [N, I], then
// with `given_initial_state` h0 and c0 [D, B, H] of every level.
struct Problem {
  std::vector<LstmLevelConfig> levels;
  std::vector<int32_t> lengths;
  bool given_initial_state = false;
  bool recurrent_mask = false;
};

std::vector<double> Uniform(RandomStream* random, int64_t n, double bound) {
  std::vector<double> v(n);
  for (double& d : v) d = random->Uniform(-1, 1) * bound;
  return v;
}

int64_t StateSize(const LstmLevelConfig& level, const Problem& p) {
  return level.directions * static_cast<int64_t>(p.lengths.size()) * level.hidden_size;
}

int64_t Variables(const Problem& p) {
  const Packing packing = Packing::CreateOrDie(p.lengths);
  int64_t n = packing.rows() * p.levels[0].input_size;
  for (const LstmLevelConfig& level : p.levels) {
    n += LstmParamsSize(level) + (p.given_initial_state ? 2 * StateSize(level, p) : 0);
  }
  return n;
}

// Runs a problem. The loss is the sum over y [N, D*H] of the last level times fixed weights.
template <typename T>
class Stack {
 public:
  Stack(const Problem& problem, uint64_t seed) : p_(problem), packing_(Packing::CreateOrDie(problem.lengths)) {
    RandomStream random(seed, RandomPurpose::kTest, 1);
    for (const LstmLevelConfig& level : p_.levels) {
      recursions_.emplace_back(level);
      outputs_.emplace_back(packing_.rows() * level.directions * level.hidden_size);
      masks_.emplace_back();
      if (!p_.recurrent_mask) continue;
      for (int64_t k = 0; k < StateSize(level, p_); ++k) masks_.back().push_back(T(random.Bernoulli(0.25f) ? 0 : 1.25));
    }
    const std::vector<double> weights = Uniform(&random, outputs_.back().size(), 1);
    loss_weights_.assign(weights.begin(), weights.end());
  }

  T Loss(const std::vector<T>& z) {
    T loss(0);
    inputs_.clear();
    size_t params = 0, x = 0;
    for (const LstmLevelConfig& level : p_.levels) x += LstmParamsSize(level);
    size_t state = x + packing_.rows() * p_.levels[0].input_size;
    const T* input = &z[x];
    for (size_t l = 0; l < p_.levels.size(); ++l) {
      const LstmLevelConfig& level = p_.levels[l];
      const size_t size = LstmParamsSize(level), state_size = StateSize(level, p_);
      RecursionInput<T> in;
      in.params = {&z[params], size};
      in.x = {input, {packing_.rows(), level.input_size}};
      in.packing = &packing_;
      if (p_.given_initial_state) {
        in.h0 = State(level, &z[state]);
        in.c0 = State(level, &z[state + state_size]);
        state += 2 * state_size;
      }
      if (p_.recurrent_mask) in.recurrent_mask = State(level, masks_[l].data());
      recursions_[l].Forward(in, Rows(level, outputs_[l].data()), {});
      inputs_.push_back(in);
      params += size;
      input = outputs_[l].data();
    }
    for (size_t k = 0; k < loss_weights_.size(); ++k) loss += loss_weights_[k] * outputs_.back()[k];
    return loss;
  }

  std::vector<T> Gradient(const std::vector<T>& z) {
    Loss(z);
    std::vector<T> gradient(z.size(), T(0)), dy = loss_weights_, dx;
    int64_t params = 0, state = z.size();
    for (const LstmLevelConfig& level : p_.levels) params += LstmParamsSize(level);
    const int64_t x = params;
    for (size_t l = p_.levels.size(); l-- > 0;) {
      const LstmLevelConfig& level = p_.levels[l];
      const int64_t size = LstmParamsSize(level), state_size = StateSize(level, p_);
      params -= size;
      dx.assign(packing_.rows() * level.input_size, T(0));
      RecursionState<T> dinitial;
      if (p_.given_initial_state) {
        state -= 2 * state_size;
        dinitial = {StateOut(level, &gradient[state]), StateOut(level, &gradient[state + state_size])};
      }
      recursions_[l].Backward(inputs_[l], Rows(level, dy.data()), {dx.data(), {packing_.rows(), level.input_size}},
                              absl::MakeSpan(gradient).subspan(params, size), dinitial);
      dy = dx;
    }
    std::copy(dx.begin(), dx.end(), gradient.begin() + x);
    return gradient;
  }

 private:
  TensorView<const T, 3> State(const LstmLevelConfig& level, const T* data) const {
    return {data, {level.directions, packing_.batch(), level.hidden_size}};
  }
  TensorView<T, 3> StateOut(const LstmLevelConfig& level, T* data) const {
    return {data, {level.directions, packing_.batch(), level.hidden_size}};
  }
  TensorView<T, 2> Rows(const LstmLevelConfig& level, T* data) const {
    return {data, {packing_.rows(), level.directions * level.hidden_size}};
  }

  const Problem p_;
  const Packing packing_;
  std::vector<Recursion<T>> recursions_;
  std::vector<RecursionInput<T>> inputs_;
  std::vector<std::vector<T>> outputs_, masks_;
  std::vector<T> loss_weights_;
};

TEST(LstmReference, GradientsEqualComplexStepDerivatives) {
  const std::vector<int32_t> ragged = {5, 5, 3, 1};
  const std::vector<Problem> problems = {
      {{{3, 4, 1}}, {1}},
      {{{3, 4, 1}}, ragged},
      {{{2, 3, 2}}, ragged},
      {{{2, 3, 2, true}}, ragged},
      {{{2, 3, 2, false, true}}, ragged},
      {{{2, 3, 2, true, true}}, ragged},
      {{{2, 3, 2}}, ragged, true},
      {{{2, 3, 1, true}}, ragged, false, true},
      {{{2, 3, 2, true, true}}, ragged, true, true},
      {{{2, 3, 2, true, true}, {6, 2, 2, true, true}}, ragged, false, true},
      {{{3, 2, 2}, {4, 3, 1, true}, {3, 2, 2, false, true}}, ragged, true, true},
  };
  ScopedFlushDenormals keep_denormals(false);
  for (size_t i = 0; i < problems.size(); ++i) {
    RandomStream random(i, RandomPurpose::kTest);
    const std::vector<double> z = Uniform(&random, Variables(problems[i]), 1);
    Stack<std::complex<double>> complex_stack(problems[i], i);
    const std::vector<double> expected =
        ComplexStepGradient([&](const std::vector<std::complex<double>>& v) { return complex_stack.Loss(v); }, z);
    EXPECT_TRUE(AllClose(Stack<double>(problems[i], i).Gradient(z), expected, 1e-11, 1e-14)) << "problem " << i;
  }
}

// A given initial state takes the place of the trainable one, whose gradient is then exactly 0.
TEST(LstmReference, TheTrainableInitialStateRestsWhenOneIsGiven) {
  const Problem problem = {{{2, 3, 2, false, true}}, {4, 2}, true};
  RandomStream random(1, RandomPurpose::kTest);
  const std::vector<double> z = Uniform(&random, Variables(problem), 1);
  std::vector<double> gradient = Stack<double>(problem, 1).Gradient(z);
  gradient.resize(LstmParamsSize(problem.levels[0]));
  for (int d = 0; d < 2; ++d) {
    const auto p = LstmDirection(problem.levels[0], absl::MakeSpan(gradient), d);
    for (int u = 0; u < 3; ++u) {
      EXPECT_EQ(p.h0[u], 0);
      EXPECT_EQ(p.c0[u], 0);
    }
  }
}

Problem RandomProblem(RandomStream* random) {
  Problem p;
  const int levels = 1 + random->Below(3), batch = 1 + random->Below(4);
  int size = 1 + random->Below(7);
  for (int l = 0; l < levels; ++l) {
    const int hidden = 1 + random->Below(7), directions = 1 + random->Below(2);
    p.levels.push_back({size, hidden, directions, random->Bernoulli(0.5f), random->Bernoulli(0.5f)});
    size = directions * hidden;
  }
  for (int b = 0; b < batch; ++b) p.lengths.push_back(1 + random->Below(9));
  std::sort(p.lengths.rbegin(), p.lengths.rend());
  p.given_initial_state = random->Bernoulli(0.3f);
  p.recurrent_mask = random->Bernoulli(0.3f);
  return p;
}

// 300 random configurations, every variable, |a - n| <= 1e-9 + 1e-6 max(|a|, |n|).
TEST(LstmReference, GradientsEqualCentralDifferencesInRandomConfigurations) {
  constexpr double kStep = 1e-5;  // rounding of the loss (1e-15 / step) and truncation (step^2) are both far below 1e-9
  for (int i = 0; i < 300; ++i) {
    RandomStream random(7, RandomPurpose::kTest, i);
    const Problem problem = RandomProblem(&random);
    std::vector<double> z = Uniform(&random, Variables(problem), 0.7);
    Stack<double> stack(problem, i);
    const std::vector<double> analytic = stack.Gradient(z);
    std::vector<double> numeric(z.size());
    for (size_t k = 0; k < z.size(); ++k) {
      const double centre = z[k];
      z[k] = centre + kStep;
      const double above = stack.Loss(z);
      z[k] = centre - kStep;
      numeric[k] = (above - stack.Loss(z)) / (2 * kStep);
      z[k] = centre;
    }
    ASSERT_TRUE(AllClose(analytic, numeric, 1e-6, 1e-9)) << "configuration " << i;
  }
}

}  // namespace
}  // namespace earshot
