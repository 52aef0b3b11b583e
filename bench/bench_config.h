// Benchmark configurations: their checks, their smaller copies and the batch that they describe.
#ifndef EARSHOT_BENCH_BENCH_CONFIG_H_
#define EARSHOT_BENCH_BENCH_CONFIG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bench/bench.pb.h"
#include "data/batch.h"

namespace earshot {

// InvalidArgument naming the field, its value and what is expected.
absl::Status ValidateBenchConfig(const BenchConfig& config);

// What of a configuration decides the work: neither texts nor how long it may take and who is timed.
BenchConfig WorkOf(BenchConfig config);

// After `change` (--set) was merged over `original`: where that is other work, it stands for nothing published any
// more, and its summary says the change.
void DescribeChange(const BenchConfig& original, const std::string& change, BenchConfig* changed);

// The configurations that one stands for: itself, or those of its points, `change` merged over it.
struct ConfigPoint {
  double at = 0;  // on the axis
  BenchConfig config;
};
std::vector<ConfigPoint> ExpandPoints(const BenchConfig& config);

// int(linspace(min_frames, max_frames, utterances)), longest first [B].
std::vector<int32_t> BatchLengths(const BenchBatch& batch);
// N, the sum of the lengths: frames that are computed; nothing is padded.
int64_t ValidFrames(const BenchBatch& batch);

// `batch` with max_frames frames (at most as many as it has), its other lengths and its labels in proportion.
BenchBatch WithMaxFrames(const BenchBatch& batch, int max_frames);

// A copy of the configuration that even plain loops compute within seconds: the same network, few and short utterances.
BenchConfig ShrunkConfig(const BenchConfig& config);

// The batch of a valid configuration, drawn from its seed: features (of one that measures the loss alone: logits) U(-1,
// 1); labels uniform over 0 .. classes-1, with
// CTC over 1 .. classes-1 (0 is the blank).
Batch MakeBatch(const BenchConfig& config);

}  // namespace earshot

#endif  // EARSHOT_BENCH_BENCH_CONFIG_H_
