// Ten training steps of small nets against PyTorch: the whole step (network, loss, gradient, optimizer) for every LSTM
// implementation of the CPU. tools/golden/lstm_trajectory.py describes the file and made it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "asr/train_step.h"
#include "base/file.h"
#include "lstm/rows_here.h"

namespace earshot {
namespace {

constexpr int kSteps = 10;
constexpr double kRelative = 1e-4;

// The generator of the script, step for step.
struct Lcg {
  uint32_t x;
  uint32_t Next() { return x = 1664525u * x + 1013904223u; }
  float Uniform(float bound) { return (2.0f * (static_cast<float>(Next() >> 8) * 0x1p-24f) - 1.0f) * bound; }
  int Below(int n) { return static_cast<int>((Next() >> 16) % n); }
};

struct Net {
  std::string name;
  uint32_t seed;
  int input, classes;
  TrainConfig config;
  std::vector<double> losses;
  double sum, squares;
};

std::vector<Net> ReadNets() {
  const absl::StatusOr<std::string> text = ReadFile("asr/testdata/trajectory.txt", 1 << 20);
  EXPECT_TRUE(text.ok()) << text.status();
  std::istringstream in(*text);
  std::vector<Net> nets;
  std::string key, hidden, loss, optimizer;
  while (in >> key) {
    EXPECT_EQ(key, "net");
    Net n;
    int directions, bias;
    double rate;
    in >> n.name >> key >> n.seed >> key >> n.input >> key >> hidden >> key >> directions >> key >> n.classes >> key >>
        bias >> key >> loss >> key >> optimizer >> key >> rate;
    LstmConfig* lstm = n.config.mutable_model()->mutable_lstm();
    for (absl::string_view h : absl::StrSplit(hidden, ','))
      lstm->add_level()->set_hidden_size(std::stoi(std::string(h)));
    lstm->set_bidirectional(directions == 2);
    n.config.mutable_model()->set_output_bias(bias == 1);
    n.config.mutable_loss()->set_kind(loss == "ctc" ? LossConfig::CTC : LossConfig::CROSS_ENTROPY_LAST_FRAME);
    OptimizerConfig* o = n.config.mutable_optimizer();
    o->set_kind(optimizer == "sgd" ? OptimizerConfig::SGD : OptimizerConfig::ADAM);
    o->set_learning_rate(rate);
    o->set_max_grad_norm(0);
    n.losses.resize(kSteps);
    in >> key;
    for (double& l : n.losses) in >> l;
    in >> key >> n.sum >> n.squares;
    EXPECT_TRUE(in.good()) << n.name;
    nets.push_back(n);
  }
  return nets;
}

Batch MakeBatch(const Net& net, int step, Lcg* lcg) {
  Batch batch;
  const std::vector<int32_t> lengths =
      step % 2 == 0 ? std::vector<int32_t>{9, 7, 7, 4, 2} : std::vector<int32_t>{11, 6, 3};
  batch.packing = Packing::CreateOrDie(lengths);
  batch.features.Resize({batch.packing.rows(), net.input});
  for (float& x : batch.features.span()) x = lcg->Uniform(1);
  for (size_t b = 0; b < lengths.size(); ++b) {
    std::vector<int32_t> labels;
    if (net.config.loss().kind() == LossConfig::CTC) {
      labels.resize(1 + lcg->Below((lengths[b] + 1) / 2));
      for (int32_t& l : labels) l = 1 + lcg->Below(net.classes - 1);
    } else {
      labels = {lcg->Below(net.classes)};
    }
    batch.labels.AddRow(labels);
    batch.ids.push_back(std::to_string(b));
  }
  return batch;
}

class TrajectoryTest : public testing::TestWithParam<LstmImplementation> {};

TEST_P(TrajectoryTest, TenLossesEqualPyTorch) {
  const LstmImplementation& implementation = GetParam();
  const std::vector<Net> nets = ReadNets();
  ASSERT_EQ(nets.size(), 8u);
  ThreadPool pool(2);
  for (Net net : nets) {
    net.config.mutable_model()->mutable_lstm()->set_implementation(std::string(implementation.name));
    auto step = TrainStep::Create(net.config, net.input, net.classes, &pool);
    ASSERT_TRUE(step.ok()) << step.status();
    Lcg lcg = {net.seed};
    for (float& p : (*step)->model().params()) p = lcg.Uniform(0.5f);
    for (int k = 0; k < kSteps; ++k) {
      const auto stats = (*step)->Run(MakeBatch(net, k, &lcg), net.config.optimizer().learning_rate(), k);
      ASSERT_TRUE(stats.ok()) << stats.status();
      ASSERT_EQ(stats->skipped, "");
      // An impossible utterance would make PyTorch's mean infinite: the script draws none.
      EXPECT_TRUE(stats->impossible.empty());
      const double loss = stats->loss_sum / stats->count;
      EXPECT_NEAR(loss, net.losses[k], kRelative * net.losses[k]) << net.name << " step " << k;
    }
    double sum = 0, squares = 0;
    for (float p : (*step)->model().params()) {
      sum += p;
      squares += static_cast<double>(p) * p;
    }
    EXPECT_NEAR(squares, net.squares, kRelative * net.squares) << net.name;
    EXPECT_NEAR(sum, net.sum, kRelative * std::sqrt(net.squares * (*step)->model().params().size())) << net.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, TrajectoryTest, testing::ValuesIn(RowsHere()), RowName());

}  // namespace
}  // namespace earshot
