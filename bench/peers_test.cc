// The frameworks themselves compute what the reference computes, on shrunk copies of the configurations and on what
// those do not have. Needs an environment of bench/peers/setup.sh: its folder in EARSHOT_PEERS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "base/file.h"
#include "base/textproto.h"
#include "bench/bench_config.h"
#include "bench/own_subjects.h"
#include "bench/peer_subject.h"
#include "bench/verify.h"

namespace earshot {
namespace {

using testing::HasSubstr;

// Stays loaded, so that its process serves the next case as well.
class KeptSubject : public PeerSubject {
 public:
  using PeerSubject::PeerSubject;
  void Unload() override {}
};

class PeersTest : public testing::TestWithParam<std::string> {
 protected:
  // What a peer answers instead, if it is named: why it computes another function, why it is not here.
  using Answers = std::map<std::string, std::string>;

  void SetUp() override {
    if (std::getenv("EARSHOT_PEERS") == nullptr || std::getenv("EARSHOT_PEERS")[0] == '\0') {
      std::cout << "SKIPPED: no frameworks: EARSHOT_PEERS is not set to the folder that bench/peers/setup.sh made\n";
      GTEST_SKIP();
    }
    peer_ = std::make_unique<KeptSubject>(GetParam(), PeerCommand(GetParam(), 2));
    if (GetParam().substr(0, 7) != "torch1:") return;
    const absl::Status status =
        peer_->Load(Committed("lstm_ce_short"), *CanonicalParameters(Committed("lstm_ce_short"), &pool_));
    if (status.code() != absl::StatusCode::kUnimplemented) return;
    std::cout << "SKIPPED: " << GetParam() << ": " << status.message() << "\n";
    GTEST_SKIP();
  }
  // The peer agrees with the reference.
  void Check(const BenchConfig& config, const Answers& others, const Answers& absent) {
    SCOPED_TRACE(config.name());
    const Batch batch = MakeBatch(config);
    const auto params = CanonicalParameters(config, &pool_);
    ASSERT_TRUE(params.ok()) << params.status().ToString();
    const absl::StatusOr<Trace>& expected = Expected(config, *params, batch);
    ASSERT_TRUE(expected.ok()) << expected.status().ToString();
    const auto actual = RecordTrace(config, *params, batch, peer_.get());
    if (absent.count(GetParam()) > 0) {
      EXPECT_EQ(actual.status().code(), absl::StatusCode::kUnimplemented) << actual.status().ToString();
      EXPECT_THAT(std::string(actual.status().message()), HasSubstr(absent.at(GetParam())));
      return;
    }
    ASSERT_TRUE(actual.ok()) << actual.status().ToString();
    EXPECT_TRUE(peer_->peer()->flush_denormals());
    const bool other = others.count(GetParam()) > 0;
    EXPECT_EQ(peer_->peer()->comparable(), !other) << peer_->peer()->note();
    EXPECT_THAT(peer_->peer()->note(), HasSubstr(other ? others.at(GetParam()) : ""));
    const absl::Status same = CompareTraces(config, *expected, *actual, peer_->tolerance_factor());
    EXPECT_EQ(same.ok(), !other) << same.ToString();
  }
  // The reference's, computed once for all peers.
  const absl::StatusOr<Trace>& Expected(const BenchConfig& config, const std::vector<float>& params,
                                        const Batch& batch) {
    static auto* const traces = new std::map<std::string, absl::StatusOr<Trace>>;
    const auto found = traces->find(config.name());
    if (found != traces->end()) return found->second;
    const std::unique_ptr<Subject> reference = ReferenceSubject(config, &pool_);
    return traces->emplace(config.name(), RecordTrace(config, params, batch, reference.get())).first->second;
  }
  static BenchConfig Parsed(const std::string& text, const std::string& name) {
    BenchConfig config;
    const absl::Status status = ParseTextproto(text, name, &config);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return config;
  }
  static BenchConfig Committed(const std::string& name) {
    const std::string path = "bench/configs/" + name + ".textproto";
    const auto text = ReadFile(path, 1 << 20);
    EXPECT_TRUE(text.ok()) << text.status().ToString();
    return ShrunkConfig(Parsed(*text, path));
  }
  ThreadPool pool_{2};
  std::unique_ptr<PeerSubject> peer_;
};

// Labels of every frame, an output bias, other numbers than the defaults.
constexpr char kEveryFrame[] = R"(
  name: "frames"
  train {
    model { lstm { num_levels: 2 hidden_size: 24 } output_bias: true forget_bias: 0.5 }
    loss { kind: CROSS_ENTROPY_FRAME reduction: MEAN_FRAME }
    optimizer { learning_rate: 0.01 beta1: 0.8 beta2: 0.9 epsilon: 1e-3 max_grad_norm: 0 }
  }
  batch { utterances: 5 min_frames: 4 max_frames: 9 input_size: 7 classes: 6 })";

// Raffel's network, small: levels of different sizes with peepholes, SGD with momentum. And an initial state.
constexpr char kRaffel[] = R"(
  name: "raffel"
  train {
    model { lstm { level { hidden_size: 6 } level { hidden_size: 11 } level { hidden_size: 5 }
                   bidirectional: true peepholes: true trainable_initial_state: true } }
    loss { kind: CROSS_ENTROPY_FRAME reduction: SUM }
    optimizer { kind: SGD learning_rate: 0.01 momentum: 0.9 max_grad_norm: 0 }
  }
  batch { utterances: 4 min_frames: 2 max_frames: 6 input_size: 8 classes: 7 })";

constexpr char kInitialState[] = R"(
  name: "initial state"
  train {
    model { lstm { num_levels: 2 hidden_size: 9 bidirectional: true trainable_initial_state: true } }
    loss { kind: CROSS_ENTROPY_LAST_FRAME }
    optimizer { kind: SGD learning_rate: 0.1 momentum: 0.5 max_grad_norm: 0 }
  }
  batch { utterances: 4 max_frames: 6 input_size: 8 classes: 7 })";

TEST_P(PeersTest, ComputeWhatTheReferenceComputes) {
  const Answers padded = {{"torch:lstm", "runs over the padding"}, {"torch1:lstm", "runs over the padding"}};
  const Answers alone = {{"torch:loss", "loss alone"}, {"tf:loss", "loss alone"}, {"jax:loss", "loss alone"}};
  const auto with = [&](Answers more) {
    more.insert(alone.begin(), alone.end());
    return more;
  };
  const std::string layer = "nn.LSTM has no peepholes", cell = "nn.LSTMCell has no peepholes";
  const Answers no_peepholes = with({{"torch:lstm", layer},
                                     {"torch1:lstm", layer},
                                     {"torch:packed", layer},
                                     {"torch1:packed", layer},
                                     {"torch:cell", cell},
                                     {"torch1:cell", cell},
                                     {"tf:keras", "keras.layers.LSTM has no peepholes"}});
  BenchConfig dropout = Committed("lstm_ce_short");
  dropout.mutable_train()->mutable_model()->mutable_lstm()->set_recurrent_dropout(0.5);
  EXPECT_EQ(peer_->Load(dropout, *CanonicalParameters(dropout, &pool_)).code(), absl::StatusCode::kUnimplemented);
  Check(Committed("lstm_ce_short"), {}, alone);
  Check(Parsed(kEveryFrame, "frames"), {}, alone);
  Check(Parsed(kRaffel, "raffel"), {}, no_peepholes);
  if (GetParam() == "torch:compile") return;  // takes its time for every network
  Check(Committed("blstm4_ce_long"), {}, alone);
  Check(Parsed(kInitialState, "initial state"), {}, alone);
  Check(Committed("lstm_ctc"), padded, with({{"pytensor:scan", "PyTensor has no CTC"}}));
}

// In a process that has trained nothing before. Each saves at least the cells [N, H] of both levels between its passes,
// all but PyTensor's (which computes them again) also the gates [N, 4H].
TEST_P(PeersTest, SayWhatMemoryTheyTake) {
  if (GetParam().substr(GetParam().find(':')) == ":loss") return;
  BenchConfig config = Parsed(kEveryFrame, "memory");
  config.mutable_train()->mutable_model()->mutable_lstm()->set_hidden_size(128);
  config.mutable_batch()->set_utterances(256);
  config.mutable_batch()->set_min_frames(20);
  config.mutable_batch()->set_max_frames(20);
  ASSERT_TRUE(peer_->Load(config, *CanonicalParameters(config, &pool_)).ok());
  const Batch batch = MakeBatch(config);
  for (int i = 0; i < 2; ++i) {
    const auto loss = peer_->Step(batch);
    ASSERT_TRUE(loss.ok()) << loss.status().ToString();
  }
  const int64_t cells = int64_t{2} * 256 * 20 * 128 * sizeof(float);
  std::cout << GetParam() << ": " << peer_->memory_bytes() / cells << " times the cells\n";
  EXPECT_GE(peer_->memory_bytes(), (GetParam() == "pytensor:scan" ? 1 : 5) * cells);
  EXPECT_LT(peer_->memory_bytes(), int64_t{1} << 29);  // also what they compile
}

// On logits, without a network.
TEST_P(PeersTest, ComputeTheLossAlone) {
  const bool is_loss = GetParam().substr(GetParam().find(':')) == ":loss";
  const Answers no = {{is_loss ? "" : GetParam(), "not the loss alone"}};
  for (const std::string kind : {"CTC", "CROSS_ENTROPY_FRAME", "CROSS_ENTROPY_LAST_FRAME"}) {
    const std::string labels = kind == "CTC" ? " labels_per_utterance: 40 " : "";
    Check(Parsed("name: 'loss " + kind + "' measured: LOSS train { loss { kind: " + kind +
                     " reduction: MEAN_LABEL } } batch { utterances: 5 min_frames: 100 max_frames: 200 classes: 9" +
                     labels + "}",
                 kind),
          {}, no);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PeersTest,
                         testing::Values("torch:lstm", "torch:packed", "torch:cell", "torch:basic", "torch:compile",
                                         "torch:loss", "torch1:lstm", "torch1:packed", "torch1:cell", "torch1:basic",
                                         "tf:block", "tf:block_cell", "tf:while", "tf:keras", "tf:loss", "jax:scan",
                                         "jax:loss", "pytensor:scan"),
                         [](const auto& info) {
                           std::string name = info.param;
                           name[name.find(':')] = '_';
                           return name;
                         });

}  // namespace
}  // namespace earshot
