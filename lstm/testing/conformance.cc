#include "lstm/testing/conformance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"
#include "base/testing/near.h"
#include "lstm/lstm_params.h"
#include "lstm/reference/recursion.h"

namespace earshot {
namespace {

std::vector<float> Uniform(RandomStream* random, int64_t n, float bound) {
  std::vector<float> v(n);
  for (float& f : v) f = random->Uniform(-bound, bound);
  return v;
}

template <typename T>
TensorView<T, 3> StateView(const LstmCase& c, std::vector<std::remove_const_t<T>>& v) {
  if (v.empty()) return {};
  return {v.data(), {c.config.directions, static_cast<int64_t>(c.lengths.size()), c.config.hidden_size}};
}

std::vector<double> ToDouble(const std::vector<float>& v) { return {v.begin(), v.end()}; }

// A named part of the results, with the number of products in one of its elements.
struct Part {
  std::string name;
  absl::Span<const float> actual;
  absl::Span<const double> expected;
  double terms;
};

// The parts of the flat gradient, each with its own scale.
void AddParamParts(const LstmCase& c, const LstmResults<float>& a, const LstmResults<double>& e,
                   std::vector<Part>* parts) {
  const int64_t h = c.config.hidden_size;
  const double n = c.rows();
  for (int d = 0; d < c.config.directions; ++d) {
    const auto pa = LstmDirection(c.config, absl::MakeConstSpan(a.dparams), d);
    const auto pe = LstmDirection(c.config, absl::MakeConstSpan(e.dparams), d);
    const auto add = [&](const char* name, const float* actual, const double* expected, int64_t size) {
      if (actual == nullptr) return;
      parts->push_back({name + std::to_string(d),
                        {actual, static_cast<size_t>(size)},
                        {expected, static_cast<size_t>(size)},
                        n * 4 * h});
    };
    add("dw_ih", pa.w_ih.data(), pe.w_ih.data(), pa.w_ih.size());
    add("dw_hh", pa.w_hh.data(), pe.w_hh.data(), pa.w_hh.size());
    add("dbias", pa.bias, pe.bias, 4 * h);
    add("dw_ci", pa.w_ci, pe.w_ci, h);
    add("dw_cf", pa.w_cf, pe.w_cf, h);
    add("dw_co", pa.w_co, pe.w_co, h);
    add("dparams h0", pa.h0, pe.h0, h);
    add("dparams c0", pa.c0, pe.c0, h);
  }
}

}  // namespace

int64_t LstmCase::rows() const { return std::accumulate(lengths.begin(), lengths.end(), int64_t{0}); }

LstmData MakeData(const LstmCase& c) {
  RandomStream random(c.seed, RandomPurpose::kTest);
  const int64_t state = c.config.directions * static_cast<int64_t>(c.lengths.size()) * c.config.hidden_size;
  LstmData data;
  data.params = Uniform(&random, LstmParamsSize(c.config), 1.5f / std::sqrt(static_cast<float>(c.config.hidden_size)));
  data.x = Uniform(&random, c.rows() * c.config.input_size, 1);
  data.dy = Uniform(&random, c.rows() * c.config.directions * c.config.hidden_size, 1);
  if (c.given_initial_state) {
    data.h0 = Uniform(&random, state, 1);
    data.c0 = Uniform(&random, state, 2);
  }
  if (c.recurrent_mask) {
    data.mask.resize(state);
    for (float& m : data.mask) m = random.Bernoulli(0.25f) ? 0 : 1 / 0.75f;
  }
  return data;
}

void KeepLastFrames(const LstmCase& c, LstmData* data) {
  const Packing packing = Packing::CreateOrDie(c.lengths);
  const int64_t width = c.config.directions * c.config.hidden_size;
  std::vector<float> dy(data->dy.size());
  for (int b = 0; b < packing.batch(); ++b) {
    std::copy_n(&data->dy[packing.reversed_row(0, b) * width], width, &dy[packing.reversed_row(0, b) * width]);
  }
  data->dy = dy;
}

LstmData Alone(const LstmCase& c, const LstmData& data, int b, LstmCase* alone) {
  const Packing packing = Packing::CreateOrDie(c.lengths);
  *alone = c;
  alone->lengths = {c.lengths[b]};
  LstmData one = data;
  one.x.clear();
  one.dy.clear();
  const int64_t i = c.config.input_size, h = c.config.hidden_size, width = c.config.directions * h;
  for (int t = 0; t < c.lengths[b]; ++t) {
    const int64_t row = packing.row(t, b);
    one.x.insert(one.x.end(), &data.x[row * i], &data.x[row * i] + i);
    one.dy.insert(one.dy.end(), &data.dy[row * width], &data.dy[row * width] + width);
  }
  for (auto member : {&LstmData::h0, &LstmData::c0, &LstmData::mask}) {
    const std::vector<float>& all = data.*member;
    if (all.empty()) continue;
    (one.*member).clear();
    for (int d = 0; d < c.config.directions; ++d) {
      const float* const from = &all[(d * packing.batch() + b) * h];
      (one.*member).insert((one.*member).end(), from, from + h);
    }
  }
  return one;
}

LstmResults<double> Truth(const LstmCase& c, const LstmData& data) {
  const Packing packing = Packing::CreateOrDie(c.lengths);
  std::vector<double> params = ToDouble(data.params), x = ToDouble(data.x), dy = ToDouble(data.dy);
  std::vector<double> h0 = ToDouble(data.h0), c0 = ToDouble(data.c0), mask = ToDouble(data.mask);
  const int64_t n = packing.rows(), i = c.config.input_size, width = c.config.directions * c.config.hidden_size;
  const RecursionInput<double> in = {params,
                                     {x.data(), {n, i}},
                                     &packing,
                                     StateView<const double>(c, h0),
                                     StateView<const double>(c, c0),
                                     StateView<const double>(c, mask)};
  LstmResults<double> r;
  r.y.resize(n * width);
  r.dx.resize(n * i);
  r.dparams.assign(params.size(), 0);
  r.h_final.resize(packing.batch() * width);
  r.c_final.resize(packing.batch() * width);
  r.dh0.resize(h0.size());
  r.dc0.resize(c0.size());
  Recursion<double> recursion(c.config);
  recursion.Forward(in, {r.y.data(), {n, width}}, {StateView<double>(c, r.h_final), StateView<double>(c, r.c_final)});
  recursion.Backward(in, {dy.data(), {n, width}}, {r.dx.data(), {n, i}}, absl::MakeSpan(r.dparams),
                     {StateView<double>(c, r.dh0), StateView<double>(c, r.dc0)});
  return r;
}

LstmResults<float> RunLstm(Lstm* lstm, const LstmCase& c, const LstmData& data, const RunOptions& options) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const Packing packing = Packing::CreateOrDie(c.lengths);
  const int64_t n = packing.rows(), i = c.config.input_size, width = c.config.directions * c.config.hidden_size;
  std::vector<float> h0 = data.h0, c0 = data.c0, mask = data.mask;
  LstmInput in;
  in.params = data.params;
  in.x = {data.x.data(), {n, i}};
  in.packing = &packing;
  in.h0 = StateView<const float>(c, h0);
  in.c0 = StateView<const float>(c, c0);
  in.recurrent_mask = StateView<const float>(c, mask);
  LstmResults<float> r;
  r.y.assign(n * width, kNan);
  r.dx.assign(options.with_dx ? n * i : 0, kNan);
  r.dparams.assign(data.params.size(), options.dparams_start);
  LstmState final, dinitial;
  lstm->Forward(in, {r.y.data(), {n, width}}, &final);
  const TensorView<float, 2> dx = options.with_dx ? TensorView<float, 2>(r.dx.data(), {n, i}) : TensorView<float, 2>();
  std::vector<float> last_dy;
  for (int b = 0; b < packing.batch(); ++b) {
    const auto row = data.dy.begin() + packing.reversed_row(0, b) * width;
    last_dy.insert(last_dy.end(), row, row + width);
  }
  const TensorView<const float, 2> all_dy(data.dy.data(), {n, width}), dy(last_dy.data(), {packing.batch(), width});
  lstm->Backward(in, {r.y.data(), {n, width}}, options.last_frames ? dy : all_dy, dx, absl::MakeSpan(r.dparams),
                 h0.empty() ? nullptr : &dinitial);
  const auto copy = [](const Tensor<float, 3>& t) { return std::vector<float>(t.span().begin(), t.span().end()); };
  r.h_final = copy(final.h);
  r.c_final = copy(final.c);
  r.dh0 = copy(dinitial.h);
  r.dc0 = copy(dinitial.c);
  return r;
}

testing::AssertionResult Conforms(const LstmCase& c, const LstmResults<float>& actual,
                                  const LstmResults<double>& expected, double factor) {
  const double h = c.config.hidden_size, forward_terms = c.config.input_size + h;
  std::vector<Part> parts = {{"y", actual.y, expected.y, forward_terms},
                             {"h_final", actual.h_final, expected.h_final, forward_terms},
                             {"c_final", actual.c_final, expected.c_final, forward_terms},
                             {"dh0", actual.dh0, expected.dh0, 4 * h},
                             {"dc0", actual.dc0, expected.dc0, 4 * h}};
  if (!actual.dx.empty()) parts.push_back({"dx", actual.dx, expected.dx, 4 * h});
  AddParamParts(c, actual, expected, &parts);
  for (const Part& part : parts) {
    const testing::AssertionResult near = AllNear(part.actual, part.expected, part.terms, factor);
    if (!near) return testing::AssertionFailure() << c.name << ", " << part.name << ": " << near.message();
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult SameResults(const LstmResults<float>& actual, const LstmResults<float>& expected) {
  using Member = std::vector<float> LstmResults<float>::*;
  constexpr Member kMembers[] = {&LstmResults<float>::y,       &LstmResults<float>::dx,
                                 &LstmResults<float>::dparams, &LstmResults<float>::h_final,
                                 &LstmResults<float>::c_final, &LstmResults<float>::dh0,
                                 &LstmResults<float>::dc0};
  constexpr const char* kNames[] = {"y", "dx", "dparams", "h_final", "c_final", "dh0", "dc0"};
  for (size_t i = 0; i < std::size(kMembers); ++i) {
    const testing::AssertionResult same = SameBits(actual.*kMembers[i], expected.*kMembers[i]);
    if (!same) return testing::AssertionFailure() << kNames[i] << ": " << same.message();
  }
  return testing::AssertionSuccess();
}

std::vector<LstmCase> ConformanceCases() {
  std::vector<LstmCase> cases;
  const auto config = [](int input, int hidden, int directions, bool peepholes = false, bool initial = false) {
    return LstmLevelConfig{input, hidden, directions, peepholes, initial};
  };
  const std::vector<int32_t> ragged = {9, 9, 7, 4, 4, 1};
  for (int d : {1, 2}) {
    const std::string suffix = d == 1 ? " one direction" : " both directions";
    cases.push_back({"one frame" + suffix, config(3, 4, d), {1}});
    cases.push_back({"one utterance" + suffix, config(5, 7, d), {13}});
    cases.push_back({"all lengths 1" + suffix, config(5, 8, d), {1, 1, 1, 1, 1}});
    cases.push_back({"one hidden unit" + suffix, config(1, 1, d), ragged});
    cases.push_back({"ragged" + suffix, config(6, 10, d), ragged});
    cases.push_back({"peepholes" + suffix, config(6, 18, d, true), ragged});
    cases.push_back({"trainable initial state" + suffix, config(6, 9, d, false, true), ragged});
    cases.push_back({"given initial state" + suffix, config(6, 9, d), ragged, true});
    cases.push_back({"given in place of trainable" + suffix, config(6, 9, d, true, true), ragged, true});
    cases.push_back({"recurrent mask" + suffix, config(6, 17, d), ragged, false, true});
    cases.push_back({"everything" + suffix, config(11, 19, d, true, true), ragged, true, true});
    cases.push_back({"mask, trainable" + suffix, config(11, 19, d, true, true), ragged, false, true});
    cases.push_back(
        {"cut among threads" + suffix, config(20, 65, d, true), {8, 8, 8, 8, 7, 7, 6, 5, 5, 4, 3, 3, 2, 1, 1, 1}});
    for (int hidden : {15, 16, 17, 31, 32, 33, 63, 64}) {  // around the lengths of vectors
      cases.push_back({"hidden " + std::to_string(hidden) + suffix, config(hidden - 1, hidden, d), {5, 3, 2}});
    }
  }
  for (size_t i = 0; i < cases.size(); ++i) cases[i].seed = 100 + i;
  return cases;
}

}  // namespace earshot
