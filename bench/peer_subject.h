// A framework's training step as a subject of the bench: loaded with the same parameters, given the same batch,
// verified like our own rows. Its layers are in bench/peers.
#ifndef EARSHOT_BENCH_PEER_SUBJECT_H_
#define EARSHOT_BENCH_PEER_SUBJECT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/tolerance.h"
#include "bench/bench.pb.h"
#include "bench/peer.pb.h"
#include "bench/peer_process.h"
#include "bench/subject.h"

namespace earshot {

// "torch:lstm, torch:packed, ...": FRAMEWORK:LAYER.
std::string PeerNames();

// Those of `names`, or all when there are none. Each computes with so many threads, and has so long for each answer.
// NotFound for a name that is not.
absl::StatusOr<std::vector<std::unique_ptr<Subject>>> PeerSubjects(const std::vector<std::string>& names, int threads,
                                                                   double timeout_seconds = 1800);

// The command that starts a peer: bench/peers/peer.py from this program's runfiles, in the environment that
// bench/peers/setup.sh makes. Unavailable when there is none.
absl::StatusOr<std::vector<std::string>> PeerCommand(const std::string& name, int threads);

// Load starts the process, and Unload ends it. Load answers Unavailable or Unimplemented where this peer cannot be had
// or cannot be what the configuration asks for; its record then says why. Other errors are those of PeerProcess.
class PeerSubject : public Subject {
 public:
  // An error instead of a command is Load's.
  PeerSubject(std::string name, absl::StatusOr<std::vector<std::string>> command, double timeout_seconds = 1800);

  std::string name() const override { return name_; }
  // Their sums over the hidden dimension have orders of their own, as OpenBLAS' have; and of CTC alone they compute in
  // single precision what is double here. Of the configuration that was loaded last.
  double tolerance_factor() const override { return tolerance_factor_; }
  absl::Status Load(const BenchConfig& config, absl::Span<const float> params) override;
  void Unload() override { process_.reset(); }
  absl::StatusOr<double> Step(const Batch& batch) override;
  absl::StatusOr<std::vector<float>> Losses(const Batch& batch) override;
  // Of the first step after Load. Empty after an error, which is the next step's.
  absl::Span<const float> gradients() override;
  PhaseTimer* phases() override { return nullptr; }
  double step_seconds() const override { return step_seconds_; }
  int64_t memory_bytes() const override { return memory_bytes_; }
  // Whether it is comparable is known after the first Step or Losses of a batch.
  const PeerRecord* peer() const override { return &record_; }
  // Null when none runs.
  const PeerProcess* process() const { return process_.get(); }

 private:
  absl::StatusOr<PeerReply> Call(const PeerRequest& request, absl::Span<const float> floats,
                                 std::vector<float>* reply_floats);
  absl::Status SendBatch(const Batch& batch);  // unless it has it

  const std::string name_;
  const absl::StatusOr<std::vector<std::string>> command_;
  const double timeout_seconds_;
  std::unique_ptr<PeerProcess> process_;
  const float* sent_features_ = nullptr;  // of the batch that the process has
  PeerRecord record_;
  std::string unequal_work_;  // why it is no comparison; empty: the weights are as large as ours
  double tolerance_factor_ = kDefaultToleranceFactor;
  double step_seconds_ = 0;
  int64_t memory_bytes_ = 0;
  std::vector<float> gradients_;
  absl::Status gradients_status_;
};

}  // namespace earshot

#endif  // EARSHOT_BENCH_PEER_SUBJECT_H_
