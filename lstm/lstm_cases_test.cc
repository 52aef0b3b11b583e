// Small cases that users of other toolkits stumbled over, with values worked out in float64 outside of this project
// (and checked with PyTorch and onnxruntime): gate orders and biases of weight layouts, the forget bias, the backward
// direction of ragged batches, final states, chunks with carried state, parameter counts.
#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/packing.h"
#include "base/testing/near.h"
#include "lstm/lstm_params.h"
#include "lstm/reference/recursion.h"

namespace earshot {
namespace {

constexpr double kTolerance = 1e-11;  // the expected values have 12 digits

using Doubles = std::vector<double>;

// One level in double over x [N, I] with a loss of the sum of all h.
struct Level {
  LstmLevelConfig config;
  Doubles params;

  struct Result {
    Doubles y, h_final, c_final, dparams;
  };
  Result Run(const Doubles& x, const std::vector<int32_t>& lengths, const Doubles& h0 = {},
             const Doubles& c0 = {}) const {
    const Packing packing = Packing::CreateOrDie(lengths);
    const int64_t n = packing.rows(), width = config.directions * config.hidden_size;
    const std::array<int64_t, 3> state = {config.directions, packing.batch(), config.hidden_size};
    RecursionInput<double> in = {params, {x.data(), {n, config.input_size}}, &packing, {}, {}, {}};
    if (!h0.empty()) {
      in.h0 = {h0.data(), state};
      in.c0 = {c0.data(), state};
    }
    Result r;
    r.y.resize(n * width);
    r.h_final.resize(packing.batch() * width);
    r.c_final.resize(packing.batch() * width);
    r.dparams.resize(params.size());
    Recursion<double> recursion(config);
    recursion.Forward(in, {r.y.data(), {n, width}}, {{r.h_final.data(), state}, {r.c_final.data(), state}});
    const Doubles ones(r.y.size(), 1.0);
    recursion.Backward(in, {ones.data(), {n, width}}, {}, absl::MakeSpan(r.dparams), {});
    return r;
  }
};

Doubles Join(std::initializer_list<Doubles> parts) {
  Doubles all;
  for (const Doubles& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// Brings the gate blocks of rows [4H, columns] into our order i f g o.
Doubles ReorderGates(const Doubles& rows, const std::string& order) {
  const size_t block = rows.size() / 4;
  Doubles out;
  for (char gate : std::string("ifgo")) {
    const auto begin = rows.begin() + order.find(gate) * block;
    out.insert(out.end(), begin, begin + block);
  }
  return out;
}

Doubles Transposed(const Doubles& m, size_t columns) {
  Doubles out;
  for (size_t c = 0; c < columns; ++c) {
    for (size_t at = c; at < m.size(); at += columns) out.push_back(m[at]);
  }
  return out;
}

Doubles Sum(Doubles a, const Doubles& b) {
  for (size_t k = 0; k < a.size(); ++k) a[k] += b[k];
  return a;
}

// One cell, I = 3 and H = 2, five frames; the same weights as four toolkits store them.
const std::vector<double> kX = {
    -0.2915, 0.8864, 0.3111, 0.9157, 0.3126, 0.3472, 0.62, -0.8666, 0.3318, -0.7928, -0.6339, 0.2106, 0.113,
    -0.621, 0.2928};
const std::vector<double> kTorchWih = {
    -0.2946, 0.1608, 0.8334, 0.6196, 0.9808, 0.3656, -0.8283, -0.1958, 0.2621, 0.7476, -0.2637, 0.7321, 0.2981,
    -0.2356, 0.4662, 0.6188, 0.6143, 0.7739, -0.4843, 0.1314, 0.0841, 0.9064, -0.7193, 0.6634};
const std::vector<double> kTorchWhh = {
    -0.2938, 0.3422, 0.2029, 0.6936, 0.3138, -0.139, 0.0338, -0.3635, -0.7205, 0.8625, 0.6437, 0.1017, 0.2518,
    -0.3319, 0.9228, -0.449};
const std::vector<double> kTorchBih = {
    -0.293, 0.5236, -0.4277, 0.7677, -0.3533, -0.6436, 0.8959, -0.5312};
const std::vector<double> kTorchBhh = {
    -0.2922, 0.705, 0.9417, 0.8417, 0.9796, 0.8518, -0.242, -0.6989};
const std::vector<double> kKerasKernel = {
    -0.2946, 0.6196, -0.8283, 0.7476, 0.2981, 0.6188, -0.4843, 0.9064, 0.1608, 0.9808, -0.1958, -0.2637,
    -0.2356, 0.6143, 0.1314, -0.7193, 0.8334, 0.3656, 0.2621, 0.7321, 0.4662, 0.7739, 0.0841, 0.6634};
const std::vector<double> kKerasRecurrent = {
    -0.2938, 0.2029, 0.3138, 0.0338, -0.7205, 0.6437, 0.2518, 0.9228, 0.3422, 0.6936, -0.139, -0.3635, 0.8625,
    0.1017, -0.3319, -0.449};
const std::vector<double> kKerasBias = {
    -0.5852, 1.2286, 0.514, 1.6094, 0.6263, 0.2082, 0.6539, -1.2301};
const std::vector<double> kTensorFlowKernel = {
    -0.2946, 0.6196, 0.2981, 0.6188, -0.8283, 0.7476, -0.4843, 0.9064, 0.1608, 0.9808, -0.2356, 0.6143, -0.1958,
    -0.2637, 0.1314, -0.7193, 0.8334, 0.3656, 0.4662, 0.7739, 0.2621, 0.7321, 0.0841, 0.6634, -0.2938, 0.2029,
    -0.7205, 0.6437, 0.3138, 0.0338, 0.2518, 0.9228, 0.3422, 0.6936, 0.8625, 0.1017, -0.139, -0.3635, -0.3319,
    -0.449};
const std::vector<double> kTensorFlowBias = {
    -0.5852, 1.2286, 0.6263, 0.2082, -0.486, 0.6094, 0.6539, -1.2301};
const std::vector<double> kOnnxW = {
    -0.2946, 0.1608, 0.8334, 0.6196, 0.9808, 0.3656, -0.4843, 0.1314, 0.0841, 0.9064, -0.7193, 0.6634, -0.8283,
    -0.1958, 0.2621, 0.7476, -0.2637, 0.7321, 0.2981, -0.2356, 0.4662, 0.6188, 0.6143, 0.7739};
const std::vector<double> kOnnxR = {
    -0.2938, 0.3422, 0.2029, 0.6936, 0.2518, -0.3319, 0.9228, -0.449, 0.3138, -0.139, 0.0338, -0.3635, -0.7205,
    0.8625, 0.6437, 0.1017};
const std::vector<double> kOnnxB = {
    -0.293, 0.5236, 0.8959, -0.5312, -0.4277, 0.7677, -0.3533, -0.6436, -0.2922, 0.705, -0.242, -0.6989, 0.9417,
    0.8417, 0.9796, 0.8518};
const std::vector<double> kH = {
    0.149127641952, 0.0677421216826, 0.201528270024, 0.373474739014, 0.264158929799, 0.503010747353,
    0.443301142002, 0.160225211238, 0.404217936114, 0.3846951904};

// One bias: the sum of PyTorch's two.
Level TorchCell() { return {{3, 2, 1}, Join({kTorchWih, kTorchWhh, Sum(kTorchBih, kTorchBhh)})}; }

TEST(LstmCases, FourWeightLayoutsGiveTheSameOutputs) {
  // Keras: kernels transposed, gates i f c o, one bias.
  const Level keras = {{3, 2, 1},
                       Join({ReorderGates(Transposed(kKerasKernel, 8), "ifgo"),
                             ReorderGates(Transposed(kKerasRecurrent, 8), "ifgo"), ReorderGates(kKerasBias, "ifgo")})};
  // TensorFlow's basic cell: [x h] in one transposed kernel, gates i j f o (j is g), 1 added to the forget bias.
  const Doubles kernel = ReorderGates(Transposed(kTensorFlowKernel, 8), "igfo");  // [4H, I + H]
  Doubles w_ih, w_hh;
  for (int r = 0; r < 8; ++r) {
    w_ih.insert(w_ih.end(), &kernel[r * 5], &kernel[r * 5] + 3);
    w_hh.insert(w_hh.end(), &kernel[r * 5] + 3, &kernel[r * 5] + 5);
  }
  Doubles bias = ReorderGates(kTensorFlowBias, "igfo");
  for (int u = 2; u < 4; ++u) bias[u] += 1;
  const Level tensorflow = {{3, 2, 1}, Join({w_ih, w_hh, bias})};
  // ONNX: gates i o f c, two biases one after the other.
  const Doubles onnx_ih(kOnnxB.begin(), kOnnxB.begin() + 8), onnx_hh(kOnnxB.begin() + 8, kOnnxB.end());
  const Level onnx = {{3, 2, 1},
                      Join({ReorderGates(kOnnxW, "iofg"), ReorderGates(kOnnxR, "iofg"),
                            ReorderGates(Sum(onnx_ih, onnx_hh), "iofg")})};
  for (const Level& level : {TorchCell(), keras, tensorflow, onnx}) {
    const Level::Result r = level.Run(kX, {5});
    EXPECT_TRUE(AllClose(r.y, kH, 0, kTolerance));
    EXPECT_TRUE(AllClose(r.c_final, {0.734670990739, 1.1928909645}, 0, kTolerance));
  }
}

// The forget bias is the level's one bias: 1 in each of two vectors elsewhere is 2 here.
TEST(LstmCases, TheForgetBiasCountsOnce) {
  const Doubles expected[] = {{0.5, -1.0}, {0.73105857863, -1.46211715726}, {0.880797077978, -1.76159415596}};
  for (int total = 0; total <= 2; ++total) {
    Level level = {{3, 2, 1}, Doubles(4 * 2 * 6, 0.0)};
    for (int u = 2; u < 4; ++u) LstmDirection(level.config, absl::MakeSpan(level.params), 0).bias[u] = total;
    EXPECT_TRUE(AllClose(level.Run({0, 0, 0}, {1}, {0, 0}, {1, -2}).c_final, expected[total], 0, kTolerance));
  }
}

// Both directions, I = 3 and H = 2, lengths 5, 3 and 1; packed rows.
const std::vector<double> kRaggedX = {
    -0.4661, -0.4848, -0.7397, -0.2822, -0.9367, 0.7441, 0.227, -0.6082, 0.4818, -0.9296, 0.5083, 0.1989,
    -0.1959, 0.3078, 0.2923, 0.9169, 0.7282, 0.9581, 0.9649, -0.879, 0.541, -0.545, -0.3609, 0.9404, 0.5501,
    -0.647, 0.6431};
const std::vector<double> kForward = {
    -0.2868, -0.0251, 0.5276, -0.6401, 0.3102, -0.6802, -0.2075, 0.1272, 0.4364, -0.1034, 0.8108, 0.4283,
    -0.1647, 0.8008, -0.9673, -0.0593, -0.3226, -0.9221, -0.5126, -0.133, -0.0942, 0.1629, 0.6854, 0.0976,
    -0.286, 0.1563, -0.103, -0.5661, -0.3569, 0.8152, 0.6546, -0.0405, -0.5462, 0.0115, -0.2817, -0.2021,
    -0.2109, 0.7044, -0.5107, 0.8729, -0.2853, 0.3377, -0.7336, -0.492, 0.976, 0.3106, -0.4834, -0.2082};
const std::vector<double> kBackward = {
    -0.2845, 0.5191, 0.6359, -0.418, 0.309, -0.194, 0.3787, -0.3759, -0.5113, 0.2412, -0.4668, 0.5372, -0.3035,
    0.5117, 0.4027, 0.7373, 0.5963, -0.8309, -0.7211, -0.8123, 0.0523, -0.4601, 0.7068, 0.5279, -0.2837, 0.7005,
    0.0053, -0.344, -0.3581, -0.6985, -0.7592, -0.5436, 0.5061, 0.3561, 0.4406, -0.0932, -0.3498, 0.4153,
    0.8593, -0.3305, -0.2829, 0.8819, -0.6253, -0.2699, 0.9748, 0.7969, 0.1029, -0.7113};
const std::vector<double> kRaggedY = {
    0.14898396248, 0.180113449688, 0.296613222675, 0.152987216362, -0.097879947242, -0.00743136129182,
    0.351020660255, -0.00326506011733, -0.00251832524086, 0.00757156317644, 0.161956283958, 0.0333586930039,
    0.26089526333, 0.14644415046, 0.3673574628, 0.184448182587, 0.109892962247, -0.0110269491055,
    0.233155301958, 0.210468494371, 0.092956957158, -0.0309864417216, 0.126851618558, 0.223626428324,
    -0.0285659327412, -0.00106844753223, 0.0762331676933, 0.0462056617252, 0.0246172309148, -0.0794407242051,
    0.351845894857, -0.118462128499, -0.0326003728514, -0.0366303204603, 0.142088766144, 0.0401118250795};
const std::vector<double> kRaggedFinal = {
    -0.0326003728514, -0.0366303204603, -0.0285659327412, -0.00106844753223, -0.00251832524086,
    0.00757156317644, 0.296613222675, 0.152987216362, 0.351020660255, -0.00326506011733, 0.161956283958,
    0.0333586930039};

TEST(LstmCases, TheBackwardDirectionStartsAtEachUtterancesLastFrame) {
  const Level level = {{3, 2, 2}, Join({kForward, kBackward})};
  const Level::Result r = level.Run(kRaggedX, {5, 3, 1});
  EXPECT_TRUE(AllClose(r.y, kRaggedY, 0, kTolerance));
  // [D, B, H]: direction 0 ends at the last real frame, direction 1 at frame 0.
  EXPECT_TRUE(AllClose(r.h_final, kRaggedFinal, 0, kTolerance));
}

// Gradients by w_hh of the sum of all h: over the whole, and over chunks of 3 and 2 frames with the state held fixed.
const std::vector<double> kWholeGradient = {
    0.138404588546, 0.175161626847, 0.00913406053016, 0.00428728765822, 0.0753596208103, 0.0849185299412,
    0.0295103533388, 0.0425718156283, 0.135258194378, 0.152982995627, 0.113152221148, 0.138176109021,
    0.148015519752, 0.159208475603, 0.204648575286, 0.199198644579};
const std::vector<double> kTruncatedGradient = {
    0.10155349659, 0.120677142346, 0.00476105870284, -0.00142512721624, 0.0603026800716, 0.061231385251,
    0.0251449361555, 0.0359327804178, 0.113938758739, 0.127195416755, 0.08775294007, 0.0984054516318,
    0.145754458725, 0.155420624925, 0.198724652067, 0.192229477292};

TEST(LstmCases, ChunksCarryBothHAndC) {
  const Level level = TorchCell();
  const Level::Result whole = level.Run(kX, {5});
  const Doubles x1(kX.begin(), kX.begin() + 9), x2(kX.begin() + 9, kX.end());
  const Level::Result first = level.Run(x1, {3}), second = level.Run(x2, {2}, first.h_final, first.c_final);
  EXPECT_TRUE(AllClose(first.y, absl::MakeConstSpan(kH).first(6), 0, kTolerance));
  EXPECT_TRUE(AllClose(second.y, absl::MakeConstSpan(kH).subspan(6), 0, kTolerance));
  EXPECT_TRUE(AllClose(level.Run(x2, {2}).y, {0.172715557781, -0.0516548867294, 0.245386597739, -0.0312300492501}, 0,
                       kTolerance));
  const auto w_hh = [&](const Doubles& dparams) {
    const auto p = LstmDirection(level.config, absl::MakeConstSpan(dparams), 0);
    return Doubles(p.w_hh.data(), p.w_hh.data() + p.w_hh.size());
  };
  constexpr double kDifferences = 1e-8;  // the expected ones are central differences
  EXPECT_TRUE(AllClose(w_hh(whole.dparams), kWholeGradient, 0, kDifferences));
  EXPECT_TRUE(AllClose(w_hh(Sum(first.dparams, second.dparams)), kTruncatedGradient, 0, kDifferences));
}

TEST(LstmCases, ParameterCounts) {
  const LstmLevelConfig one = {123, 320, 1}, both = {123, 320, 2}, upper = {640, 320, 2};
  const int64_t second_bias = 4 * 320;  // a direction, in toolkits with two biases
  EXPECT_EQ(LstmParamsSize(one), 568320);
  EXPECT_EQ(LstmParamsSize(one) + second_bias, 569600);
  EXPECT_EQ(LstmParamsSize(both), 1136640);
  EXPECT_EQ(LstmParamsSize(both) + 2 * second_bias, 1139200);
  EXPECT_EQ(LstmParamsSize(both) + 3 * LstmParamsSize(upper), 8517120);
  EXPECT_EQ(LstmParamsSize(both) + 3 * LstmParamsSize(upper) + 8 * second_bias, 8527360);
  EXPECT_EQ(LstmParamsSize({5, 7, 2, true, true}), 2 * (4 * 7 * (5 + 7 + 1) + 3 * 7 + 2 * 7));
}

}  // namespace
}  // namespace earshot
