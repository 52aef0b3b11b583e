// A configuration whose whole run takes seconds.
#ifndef EARSHOT_BENCH_TESTING_SMALL_CONFIG_H_
#define EARSHOT_BENCH_TESTING_SMALL_CONFIG_H_

#include "base/check.h"
#include "base/textproto.h"
#include "bench/bench.pb.h"

namespace earshot {

// Two bidirectional levels of 16, CTC, 4 utterances of 20 to 40 frames.
inline BenchConfig SmallConfig(double max_seconds) {
  BenchConfig config;
  const absl::Status status = ParseTextproto(
      R"(name: "test"
         train {
           model { lstm { num_levels: 2 hidden_size: 16 bidirectional: true } output_bias: false }
           loss { kind: CTC }
           optimizer { max_grad_norm: 0 }
         }
         batch { utterances: 4 min_frames: 20 max_frames: 40 input_size: 9 classes: 6 labels_per_utterance: 5 }
         max_steps: 6)",
      "test", &config);
  CHECK(status.ok()) << status.ToString();
  config.set_max_seconds(max_seconds);
  return config;
}

}  // namespace earshot

#endif  // EARSHOT_BENCH_TESTING_SMALL_CONFIG_H_
