#include "asr/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "asr/testing/double_net.h"
#include "base/random.h"
#include "base/testing/near.h"
#include "lstm/rows_here.h"

namespace earshot {
namespace {

constexpr int kInput = 5, kClasses = 4;

struct NetShape {
  std::string name;
  int levels, directions;
  bool peepholes, initial_state, dropout, recurrent_dropout;
};

ModelConfig MakeConfig(const NetShape& shape, const std::string& implementation) {
  ModelConfig config;
  LstmConfig* lstm = config.mutable_lstm();
  for (int l = 0; l < shape.levels; ++l) lstm->add_level()->set_hidden_size(4 + 3 * l);
  lstm->set_bidirectional(shape.directions == 2);
  lstm->set_peepholes(shape.peepholes);
  lstm->set_trainable_initial_state(shape.initial_state);
  lstm->set_implementation(implementation);
  if (shape.dropout) {
    lstm->set_dropout(0.5f);
    config.set_output_dropout(0.125f);
  }
  if (shape.recurrent_dropout) lstm->set_recurrent_dropout(0.25f);
  return config;
}

Tensor<float, 2> RandomTensor(int64_t rows, int64_t columns, uint64_t position) {
  Tensor<float, 2> x({rows, columns});
  RandomStream random(1, RandomPurpose::kTest, position);
  for (float& v : x.span()) v = random.Normal();
  return x;
}

std::unique_ptr<Model> MakeModel(const ModelConfig& config, ThreadPool* pool, int input = kInput,
                                 int classes = kClasses) {
  auto model = Model::Create(config, input, classes, pool, nullptr);
  EXPECT_TRUE(model.ok()) << model.status();
  (*model)->Initialize(7);
  // Initialization leaves most biases at 0 or 1; gradients should not depend on that.
  RandomStream random(2, RandomPurpose::kTest);
  for (float& p : (*model)->params()) p += 0.2f * random.Normal();
  return std::move(*model);
}

std::vector<double> DrawMask(float p, const DropoutPosition& at, int64_t rows, int64_t width, uint32_t which) {
  std::vector<double> mask;
  for (int64_t r = 0; p > 0 && r < rows; ++r) {
    RandomStream random(at.seed, RandomPurpose::kDropout, (at.step << 32) + r, which);
    for (int64_t i = 0; i < width; ++i) mask.push_back(random.Bernoulli(p) ? 0 : 1 / (1.0 - p));
  }
  return mask;
}

// The same net in double, with the masks of a training step: their numbers are part of what a seed means.
DoubleNet MakeDoubleNet(const ModelConfig& config, const Packing& packing, const DropoutPosition& at) {
  DoubleNet net;
  net.levels = LstmLevels(config.lstm(), kInput);
  net.num_classes = kClasses;
  net.output_bias = config.output_bias();
  for (size_t l = 0; l < net.levels.size(); ++l) {
    const int64_t d = net.levels[l].directions, h = net.levels[l].hidden_size;
    const float p = l + 1 < net.levels.size() ? config.lstm().dropout() : config.output_dropout();
    net.masks.push_back(DrawMask(p, at, packing.rows(), d * h, 2 * l));
    net.recurrent_masks.push_back(DrawMask(config.lstm().recurrent_dropout(), at, d * packing.batch(), h, 2 * l + 1));
  }
  return net;
}

class ModelGradientTest : public testing::TestWithParam<LstmImplementation> {};

// Logits, then the derivative by every single parameter against central differences of the net in double.
TEST_P(ModelGradientTest, EqualsCentralDifferencesInDouble) {
  const LstmImplementation& implementation = GetParam();
  const std::vector<NetShape> shapes = {
      {"1 level", 1, 1, false, false, false, false},
      {"1 level, both ways", 1, 2, false, false, false, false},
      {"2 levels, dropout", 2, 1, false, false, true, true},
      {"2 levels, both ways, dropout of outputs", 2, 2, false, false, true, false},
      {"2 levels, both ways, all options", 2, 2, true, true, true, true},
  };
  const Packing packing = Packing::CreateOrDie({6, 5, 2, 1});
  const Tensor<float, 2> features = RandomTensor(packing.rows(), kInput, 1);
  std::vector<int> targets;
  for (int64_t n = 0; n < packing.rows(); ++n) targets.push_back(n * 7 % kClasses);
  ThreadPool pool(2);
  const DropoutPosition at = {3, 12};
  for (const NetShape& shape : shapes) {
    const ModelConfig config = MakeConfig(shape, std::string(implementation.name));
    const std::unique_ptr<Model> model = MakeModel(config, &pool);
    const DoubleNet net = MakeDoubleNet(config, packing, at);
    std::vector<double> params(model->params().begin(), model->params().end());
    const std::vector<double> expected_logits = net.Logits(params, features.view(), packing);
    const TensorView<float, 2> logits = model->Forward(features.view(), packing, &at);
    EXPECT_TRUE(AllNear(logits.span(), expected_logits, 100)) << shape.name;

    Tensor<float, 2> dlogits({packing.rows(), kClasses});
    for (int64_t n = 0; n < packing.rows(); ++n) {
      double sum = 0;
      for (int c = 0; c < kClasses; ++c) sum += std::exp(expected_logits[n * kClasses + c]);
      for (int c = 0; c < kClasses; ++c) {
        dlogits.view()(n, c) =
            static_cast<float>(std::exp(expected_logits[n * kClasses + c]) / sum - (c == targets[n]));
      }
    }
    model->Backward(features.view(), packing, dlogits.view());
    std::vector<double> expected(params.size());
    constexpr double kStep = 1e-5;
    for (size_t i = 0; i < params.size(); ++i) {
      const double own = params[i];
      const auto loss = [&](double value) {
        params[i] = value;
        return SumOfCrossEntropies(net.Logits(params, features.view(), packing), targets, kClasses);
      };
      expected[i] = (loss(own + kStep) - loss(own - kStep)) / (2 * kStep);
      params[i] = own;
    }
    EXPECT_TRUE(AllNear(model->grads(), expected, 200)) << shape.name;
  }
}

// A larger net along random directions.
TEST_P(ModelGradientTest, EqualsDifferencesAlongRandomDirections) {
  const LstmImplementation& implementation = GetParam();
  const NetShape shape = {"", 2, 2, false, false, true, true};
  ModelConfig config = MakeConfig(shape, std::string(implementation.name));
  for (auto& level : *config.mutable_lstm()->mutable_level()) level.set_hidden_size(19);
  const Packing packing = Packing::CreateOrDie({11, 9, 9, 4, 1});
  const Tensor<float, 2> features = RandomTensor(packing.rows(), kInput, 1);
  const Tensor<float, 2> weights = RandomTensor(packing.rows(), kClasses, 2);  // the loss is their product with logits
  ThreadPool pool(2);
  const DropoutPosition at = {3, 1};
  const std::unique_ptr<Model> model = MakeModel(config, &pool);
  const DoubleNet net = MakeDoubleNet(config, packing, at);
  model->Forward(features.view(), packing, &at);
  model->Backward(features.view(), packing, weights.view());
  double norm = 0;
  for (float g : model->grads()) norm += static_cast<double>(g) * g;
  norm = std::sqrt(norm);
  for (int direction = 0; direction < 20; ++direction) {
    RandomStream random(9, RandomPurpose::kTest, direction);
    const size_t size = model->params().size();
    std::vector<double> v(size), plus(size), minus(size);
    double analytic = 0;
    constexpr double kStep = 1e-5;
    for (size_t i = 0; i < size; ++i) {
      v[i] = random.Normal() / std::sqrt(size);
      plus[i] = model->params()[i] + kStep * v[i];
      minus[i] = model->params()[i] - kStep * v[i];
      analytic += model->grads()[i] * v[i];
    }
    const auto up = net.Logits(plus, features.view(), packing), down = net.Logits(minus, features.view(), packing);
    double numeric = 0;
    for (size_t i = 0; i < up.size(); ++i) numeric += (up[i] - down[i]) / (2 * kStep) * weights.data()[i];
    // A direction meets about norm / sqrt(size) of the gradient.
    EXPECT_NEAR(analytic, numeric, 2e-6 * norm) << direction;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, ModelGradientTest, testing::ValuesIn(RowsHere()), RowName());

// One utterance's rows of packed logits.
std::vector<float> LogitsOf(const TensorView<float, 2>& logits, const Packing& packing, int b) {
  std::vector<float> own;
  for (int t = 0; t < packing.lengths()[b]; ++t) {
    const absl::Span<float> row = logits.row(packing.row(t, b));
    own.insert(own.end(), row.begin(), row.end());
  }
  return own;
}

// The definition's promise: what a network says of an utterance has the same bits whatever shares its batch, and for
// any number of threads.
TEST(ModelTest, ReferenceLogitsDoNotDependOnBatchMatesOrThreads) {
  constexpr int kDim = 40, kWide = 59;
  ModelConfig config;
  config.mutable_lstm()->set_num_levels(2);
  config.mutable_lstm()->set_hidden_size(37);
  config.mutable_lstm()->set_bidirectional(true);
  config.mutable_lstm()->set_implementation("reference");
  const std::vector<int32_t> lengths = {41, 33, 17, 17, 16, 8, 3, 1};
  const Packing together = Packing::CreateOrDie(lengths);
  const Tensor<float, 2> features = RandomTensor(together.rows(), kDim, 1);
  std::vector<std::vector<float>> first;
  for (int threads : {1, 2, 3, 4}) {
    ThreadPool pool(threads);
    const std::unique_ptr<Model> model = MakeModel(config, &pool, kDim, kWide);
    const TensorView<float, 2> logits = model->Forward(features.view(), together, nullptr);
    std::vector<std::vector<float>> all;
    for (size_t b = 0; b < lengths.size(); ++b) all.push_back(LogitsOf(logits, together, b));
    if (threads == 1) first = all;
    for (size_t b = 0; b < lengths.size(); ++b) {
      EXPECT_TRUE(SameBits(all[b], first[b])) << "utterance " << b << ", " << threads << " threads";
      const Packing alone = Packing::CreateOrDie({lengths[b]});
      Tensor<float, 2> own({lengths[b], kDim});
      for (int t = 0; t < lengths[b]; ++t) {
        std::memcpy(own.data() + t * kDim, features.view().row(together.row(t, b)).data(), kDim * sizeof(float));
      }
      EXPECT_TRUE(SameBits(model->Forward(own.view(), alone, nullptr).span(), first[b]))
          << "utterance " << b << " alone, " << threads << " threads";
    }
  }
}

int64_t CountParameters(int levels, bool bidirectional, int classes, bool output_bias) {
  ModelConfig config;
  config.mutable_lstm()->set_num_levels(levels);
  config.mutable_lstm()->set_hidden_size(320);
  config.mutable_lstm()->set_bidirectional(bidirectional);
  config.set_output_bias(output_bias);
  ThreadPool pool(1);
  return (*Model::Create(config, 123, classes, &pool, nullptr))->params().size();
}

// The nets of arXiv 1806.01818, with one bias a gate where PyTorch has two: 4 * 320 fewer a level and direction than
// its 572800, 572800, 8533760 and 8565120.
TEST(ModelTest, NumberOfParametersByHand) {
  EXPECT_EQ(CountParameters(1, false, 10, false), 4 * 320 * (123 + 320 + 1) + 10 * 320);  // CE-short and CE-long
  EXPECT_EQ(CountParameters(1, false, 10, false), 572800 - 1280);
  EXPECT_EQ(CountParameters(4, true, 10, false), 8533760 - 8 * 1280);
  EXPECT_EQ(CountParameters(4, true, 59, false), 8565120 - 8 * 1280);
  EXPECT_EQ(CountParameters(4, true, 59, true), 8565120 - 8 * 1280 + 59);
}

TEST(ModelTest, LevelsOfDifferentSizes) {
  LstmConfig config;
  config.set_bidirectional(true);
  for (int h : {78, 120, 27}) config.add_level()->set_hidden_size(h);
  const std::vector<LstmLevelConfig> levels = LstmLevels(config, 13);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].input_size, 13);
  EXPECT_EQ(levels[1].input_size, 156);
  EXPECT_EQ(levels[2].input_size, 240);
  EXPECT_EQ(levels[2].hidden_size, 27);
}

TEST(ModelTest, InitializationIsAFunctionOfTheSeedAndInRange) {
  ModelConfig config = MakeConfig({"", 2, 2, true, true, false, false}, "simd");
  config.set_forget_bias(0.75f);
  ThreadPool one(1), three(3);
  const auto a = *Model::Create(config, kInput, kClasses, &one, nullptr);
  const auto b = *Model::Create(config, kInput, kClasses, &three, nullptr);
  a->Initialize(5);
  b->Initialize(5);
  EXPECT_TRUE(SameBits(a->params(), b->params()));
  b->Initialize(6);
  EXPECT_FALSE(SameBits(a->params(), b->params()));
  size_t at = 0;
  for (const LstmLevelConfig& level : a->levels()) {
    const int64_t h = level.hidden_size;
    const float range = 1 / std::sqrt(static_cast<float>(h));
    for (int d = 0; d < level.directions; ++d) {
      const float* p = a->params().data() + at;
      const int64_t weights = 4 * h * (level.input_size + h);
      double sum = 0, largest = 0;
      for (int64_t i = 0; i < weights; ++i) {
        EXPECT_LE(std::abs(p[i]), range);
        sum += p[i];
        largest = std::max<double>(largest, std::abs(p[i]));
      }
      EXPECT_LT(std::abs(sum / weights), 4 * range / std::sqrt(3.0 * weights));  // four deviations of the mean
      EXPECT_GT(largest, 0.9 * range);
      const int64_t rest = 4 * h + 5 * h;  // bias, peepholes, initial state
      for (int64_t i = 0; i < rest; ++i) EXPECT_EQ(p[weights + i], i >= h && i < 2 * h ? 0.75f : 0) << i;
      at += weights + rest;
    }
  }
  EXPECT_EQ(at + kClasses * (2 * 7 + 1), a->params().size());
  for (int c = 0; c < kClasses; ++c) EXPECT_EQ(a->params()[a->params().size() - 1 - c], 0);
}

}  // namespace
}  // namespace earshot
