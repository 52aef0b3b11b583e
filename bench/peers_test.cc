// The frameworks themselves compute what the reference computes, on shrunk copies of the configurations and on what
// those do not have. Needs an environment of bench/peers/setup.sh: its folder in EARSHOT_PEERS.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "base/file.h"
#include "base/textproto.h"
#include "bench/bench_config.h"
#include "bench/peer_subject.h"
#include "bench/verify.h"

namespace earshot {
namespace {

class PeersTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::getenv("EARSHOT_PEERS") != nullptr && std::getenv("EARSHOT_PEERS")[0] != '\0') return;
    std::cout << "SKIPPED: no frameworks: EARSHOT_PEERS is not set to the folder that bench/peers/setup.sh made\n";
    GTEST_SKIP();
  }
  // Every peer agrees with the reference, but for those that say that they are another function.
  void Check(const BenchConfig& config, const std::vector<std::string>& others) {
    ThreadPool pool(2);
    const Batch batch = MakeBatch(config);
    const auto params = CanonicalParameters(config, &pool);
    ASSERT_TRUE(params.ok()) << params.status().ToString();
    TrainerSubject reference(&LstmImplementations()[0], &pool);
    const auto expected = RecordTrace(config, *params, batch, &reference);
    ASSERT_TRUE(expected.ok()) << expected.status().ToString();
    const auto peers = PeerSubjects({GetParam()}, 2);
    ASSERT_TRUE(peers.ok()) << peers.status().ToString();
    Subject* peer = peers->front().get();
    const auto actual = RecordTrace(config, *params, batch, peer);
    ASSERT_TRUE(actual.ok()) << actual.status().ToString();
    EXPECT_TRUE(peer->peer()->flush_denormals());
    const bool other = std::find(others.begin(), others.end(), peer->name()) != others.end();
    EXPECT_EQ(peer->peer()->comparable(), !other);
    const absl::Status same = CompareTraces(config, *expected, *actual, peer->tolerance_factor());
    EXPECT_EQ(same.ok(), !other) << same.ToString();
  }
  BenchConfig Committed(const std::string& name) {
    BenchConfig config;
    const std::string path = "bench/configs/" + name + ".textproto";
    const auto text = ReadFile(path, 1 << 20);
    EXPECT_TRUE(text.ok()) << text.status().ToString();
    const absl::Status status = ParseTextproto(*text, path, &config);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return ShrunkConfig(config);
  }
};

TEST_P(PeersTest, LastFrame) { Check(Committed("lstm_ce_short"), {}); }

TEST_P(PeersTest, DeepAndBidirectional) { Check(Committed("blstm4_ce_long"), {}); }

TEST_P(PeersTest, RaggedCtc) { Check(Committed("lstm_ctc"), {"torch:lstm"}); }

// Labels of every frame, an output bias, other numbers than the defaults.
TEST_P(PeersTest, EveryFrame) {
  BenchConfig config;
  const absl::Status status = ParseTextproto(
      R"(name: "frames"
         train {
           model { lstm { num_levels: 2 hidden_size: 24 } output_bias: true forget_bias: 0.5 }
           loss { kind: CROSS_ENTROPY_FRAME reduction: MEAN_FRAME }
           optimizer { learning_rate: 0.01 beta1: 0.8 beta2: 0.9 epsilon: 1e-3 max_grad_norm: 0 }
         }
         batch { utterances: 5 min_frames: 4 max_frames: 13 input_size: 7 classes: 6 })",
      "frames", &config);
  ASSERT_TRUE(status.ok()) << status.ToString();
  Check(config, {});
}

TEST_P(PeersTest, RefusesWhatItDoesNotHave) {
  BenchConfig config = Committed("lstm_ce_short");
  config.mutable_train()->mutable_model()->mutable_lstm()->set_peepholes(true);
  ThreadPool pool(1);
  const auto params = CanonicalParameters(config, &pool);
  const auto peers = PeerSubjects({GetParam()}, 1);
  const absl::Status status = peers->front()->Load(config, *params);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status.ToString();
}

INSTANTIATE_TEST_SUITE_P(All, PeersTest,
                         testing::Values("torch:lstm", "torch:packed", "torch:cell", "torch:basic", "tf:block",
                                         "tf:keras", "jax:scan"),
                         [](const auto& info) {
                           std::string name = info.param;
                           name[name.find(':')] = '_';
                           return name;
                         });

}  // namespace
}  // namespace earshot
