#include "bench/block.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/check.h"
#include "base/random.h"
#include "base/resident_peak.h"
#include "base/status_macros.h"
#include "bench/anchor.h"
#include "bench/assemble.h"
#include "bench/bench_config.h"
#include "bench/flops.h"
#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/own_subjects.h"
#include "bench/peak.h"
#include "bench/plan.h"
#include "bench/probe.h"
#include "bench/verify.h"

namespace earshot {
namespace {

constexpr double kPeakSeconds = 0.25;   // of each measurement of a peak
constexpr double kMemorySeconds = 0.1;  // of that of the memory, besides setting up its arrays

// What a peer's Load says that cannot be had (bench/peer_subject.h), or one that takes too long.
bool IsAbsent(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsUnimplemented(status) || absl::IsNotFound(status) ||
         absl::IsDeadlineExceeded(status);
}

class Block {
 public:
  Block(const BlockRequest& request, absl::Span<const std::unique_ptr<Subject>> subjects, ThreadPool* pool,
        std::ostream* progress)
      : request_(request), config_(request.config()), pool_(pool), progress_(*progress) {
    CHECK_EQ(static_cast<int>(subjects.size()), request.row_size());
    for (int i = 0; i < request.row_size(); ++i) entries_.emplace_back(subjects[i].get(), request.row(i).max_frames());
  }

  absl::StatusOr<BenchReport> Run();

 private:
  struct Entry {
    Entry(Subject* s, int frames) : subject(s), max_frames(frames), measured(s) {}
    bool is_peer() const { return subject->peer() != nullptr; }
    Subject* subject;
    int max_frames;                        // as requested; 0: what fits
    std::string problem;                   // why it is not timed
    bool absent = false, no_time = false;  // that is, because this peer is not here; there is no time
    BenchConfig config;                    // with the frames that it is measured on
    int64_t memory_bytes = 0;              // of this process
    std::vector<float> gradients;          // of the first timed step, when it is checked
    Measurement measured;
  };

  double Elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  absl::Status VerifySmall();
  void ChooseFrames();
  absl::Status Start(Entry* entry);
  void Measure();
  absl::Status VerifyTimed();
  BenchRow Row(const Entry& entry) const;
  void MeasurePeaks(BenchReport* report);
  // Calls f for every entry without a problem; an error becomes its problem.
  template <typename F>
  void ForEachGood(F f);
  void Drop(Entry* entry, std::string problem, bool absent);
  bool HasPeer() const { return entries_.back().is_peer(); }
  const Batch& BatchOf(const BenchConfig& config);

  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
  const BlockRequest& request_;
  const BenchConfig& config_;
  ThreadPool* const pool_;
  std::ostream& progress_;
  std::vector<Entry> entries_;
  std::vector<float> params_;
  std::map<int, Batch> batches_;  // by max_frames
};

template <typename F>
void Block::ForEachGood(F f) {
  for (Entry& entry : entries_) {
    if (!entry.problem.empty()) continue;
    const absl::Status status = f(&entry);
    if (status.ok()) continue;
    Drop(&entry, std::string(status.message()), entry.is_peer() && IsAbsent(status));
  }
}

void Block::Drop(Entry* entry, std::string problem, bool absent) {
  entry->problem = std::move(problem);
  entry->absent = absent;
  entry->subject->Unload();
  const char* what = absent || entry->no_time ? ": not timed: " : ": WRONG: ";
  progress_ << entry->subject->name() << what << entry->problem << std::endl;
}

const Batch& Block::BatchOf(const BenchConfig& config) {
  const int frames = config.batch().max_frames();
  const auto found = batches_.find(frames);
  return found != batches_.end() ? found->second : batches_.emplace(frames, MakeBatch(config)).first->second;
}

absl::Status Block::VerifySmall() {
  const BenchConfig shrunk = ShrunkConfig(config_);
  const Batch batch = MakeBatch(shrunk);
  const std::unique_ptr<Subject> reference = ReferenceSubject(config_, pool_);
  ASSIGN_OR_RETURN(const Trace expected, RecordTrace(shrunk, params_, batch, reference.get()));
  ForEachGood([&](Entry* entry) -> absl::Status {
    if (entry->subject->name() == reference->name()) return absl::OkStatus();  // right by definition
    ASSIGN_OR_RETURN(const Trace actual, RecordTrace(shrunk, params_, batch, entry->subject));
    if (entry->is_peer() && !entry->subject->peer()->comparable()) return absl::OkStatus();
    RETURN_IF_ERROR(CompareTraces(shrunk, expected, actual, entry->subject->tolerance_factor()));
    progress_ << absl::StreamFormat("%s: verified (%.1f s)\n", entry->subject->name(), Elapsed()) << std::flush;
    return absl::OkStatus();
  });
  return absl::OkStatus();
}

void Block::ChooseFrames() {
  std::vector<Entry*> probed;
  std::vector<std::string> names;
  std::vector<StepCost> costs;
  ForEachGood([&](Entry* entry) -> absl::Status {
    entry->config = config_;
    if (entry->max_frames > 0) {
      *entry->config.mutable_batch() = WithMaxFrames(config_.batch(), entry->max_frames);
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(const StepCost cost, ProbeCost(config_, params_, entry->subject));
    probed.push_back(entry);
    names.push_back(entry->subject->name());
    costs.push_back(cost);
    return absl::OkStatus();
  });
  // Long steps cost more a frame than the probe's; a framework that took all its time to start has some for its steps.
  constexpr double kUsable = 0.85, kPeerSeconds = 5;
  const double left = std::max(kUsable * (request_.seconds_at_most() - Elapsed()), HasPeer() ? kPeerSeconds : 0);
  std::vector<int> frames = PlanFrames(config_, names, costs, left);
  // In turns: the same frames for both.
  if (HasPeer() && !frames.empty()) frames.assign(frames.size(), *std::min_element(frames.begin(), frames.end()));
  for (size_t i = 0; i < probed.size(); ++i) {
    if ((probed[i]->no_time = frames[i] == 0)) {
      Drop(probed[i], "no time left", /*absent=*/probed[i]->is_peer());
      continue;
    }
    *probed[i]->config.mutable_batch() = WithMaxFrames(config_.batch(), frames[i]);
    progress_ << absl::StreamFormat("%s: about %.3g s a full step; %d of %d frames\n", names[i],
                                    costs[i].Seconds(ValidFrames(config_.batch())),
                                    ValidFrames(probed[i]->config.batch()), ValidFrames(config_.batch()))
              << std::flush;
  }
}

// The first step, and the second where it is cheap: it says how many more there is time for.
absl::Status Block::Start(Entry* entry) {
  constexpr double kShare = 0.1;
  const Batch& batch = BatchOf(entry->config);
  const ResidentPeak memory;
  RETURN_IF_ERROR(entry->measured.Load(entry->config, params_));
  RETURN_IF_ERROR(entry->measured.Step(batch));
  if (request_.check()) {
    const absl::Span<const float> gradients = entry->subject->gradients();
    entry->gradients.assign(gradients.begin(), gradients.end());
  }
  if (entry->measured.last().seconds < kShare * request_.seconds()) RETURN_IF_ERROR(entry->measured.Step(batch));
  entry->memory_bytes = memory.bytes();
  return absl::OkStatus();
}

void Block::Measure() {
  ForEachGood([&](Entry* entry) { return Start(entry); });
  std::vector<Entry*> good;
  std::vector<double> step_seconds;
  ForEachGood([&](Entry* entry) {
    good.push_back(entry);
    step_seconds.push_back(entry->measured.last().seconds);
    return absl::OkStatus();
  });
  if (good.empty()) return;
  const std::vector<int> steps =
      PlanSteps(step_seconds, request_.seconds() - Elapsed(), config_.max_steps(), /*in_turns=*/HasPeer());
  const int rounds = *std::max_element(steps.begin(), steps.end());
  std::vector<size_t> order(good.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (int round = 0; round < rounds; ++round) {
    RandomStream(config_.seed(), RandomPurpose::kBench, request_.block(), round).Shuffle(&order);
    for (size_t i : order) {
      if (!good[i]->problem.empty() || !TakesPart(round, rounds, steps[i])) continue;
      ForEachGood([&](Entry* entry) {
        return entry == good[i] ? entry->measured.Step(BatchOf(entry->config)) : absl::OkStatus();
      });
    }
  }
  for (Entry* entry : good) entry->measured.Unload();
}

absl::Status Block::VerifyTimed() {
  std::map<int, Trace> anchors;  // by max_frames
  if (HasPeer()) {
    const Entry& own = entries_.front();
    if (!own.problem.empty() || own.measured.samples().empty()) return absl::OkStatus();
    anchors[own.config.batch().max_frames()] = {{}, own.measured.losses(), own.gradients};
  }
  for (const Entry& entry : entries_) {
    const int frames = entry.config.batch().max_frames();
    if (!entry.problem.empty() || anchors.count(frames) > 0) continue;
    ASSIGN_OR_RETURN(anchors[frames], AnchorTrace(entry.config, params_, BatchOf(entry.config), pool_));
  }
  ForEachGood([&](Entry* entry) -> absl::Status {
    if (entry->is_peer() && !entry->subject->peer()->comparable()) return absl::OkStatus();
    const Trace& expected = anchors[entry->config.batch().max_frames()];
    const Trace actual = {{}, entry->measured.losses(), std::move(entry->gradients)};
    return Annotate(CompareTraces(entry->config, expected, actual, entry->subject->tolerance_factor()),
                    "in the timed run");
  });
  return absl::OkStatus();
}

BenchRow Block::Row(const Entry& entry) const {
  BenchRow row;
  row.set_config(config_.name());
  row.set_implementation(entry.subject->name());
  row.set_useful_gflop(UsefulFlops(config_).total() * 1e-9);
  row.set_parameters(static_cast<int>(params_.size()));
  row.set_valid_frames(static_cast<int>(ValidFrames(config_.batch())));
  row.set_scaled_frames(0);
  row.set_macs_per_frame(MacsPerFrame(config_));
  row.set_verified(entry.problem.empty() && (!entry.is_peer() || entry.subject->peer()->comparable()));
  if (!entry.problem.empty()) row.set_problem(entry.problem);
  if (entry.is_peer()) *row.mutable_peer() = *entry.subject->peer();
  if (entry.no_time) row.set_no_time(true);
  if (entry.absent) row.mutable_peer()->set_absent(entry.problem);
  if (!entry.problem.empty() || entry.measured.samples().empty()) return row;
  entry.measured.FillRow(&row);
  row.mutable_blocks(0)->set_block(request_.block());
  const int64_t memory_bytes = entry.is_peer() ? entry.subject->memory_bytes() : entry.memory_bytes;
  if (memory_bytes > 0) row.set_memory_bytes(memory_bytes);
  return row;
}

// Before and after the rows: the clock may change with the work.
void Block::MeasurePeaks(BenchReport* report) {
  report->set_peak_gflops(std::max(report->peak_gflops(), MeasurePeakGflops(pool_, kPeakSeconds)));
  if (HasPeer()) return;
  report->set_gemm_gflops(std::max(report->gemm_gflops(), MeasureGemmGflops(pool_, kPeakSeconds)));
}

absl::StatusOr<BenchReport> Block::Run() {
  BenchReport report;
  *report.mutable_config() = config_;
  RETURN_IF_ERROR(ValidateBenchConfig(config_));
  MachineRecorder recorder(pool_->num_threads());
  ASSIGN_OR_RETURN(params_, CanonicalParameters(config_, pool_));
  if (request_.check()) RETURN_IF_ERROR(VerifySmall());
  // An own row alone says nothing about a peer.
  if (!HasPeer() || entries_.back().problem.empty()) {
    MeasurePeaks(&report);
    ChooseFrames();
    Measure();
    MeasurePeaks(&report);
    report.set_memory_gb_per_second(MeasureBandwidth(pool_, kMemorySeconds).best());
  }
  // The times are those of this process; what follows may use it as it likes.
  *report.mutable_machine() = recorder.Finish();
  if (request_.check()) RETURN_IF_ERROR(VerifyTimed());
  const double assemble = config_.measured() == BenchConfig::TRAINING_STEP && !HasPeer() ? AssembleSeconds(config_) : 0;
  BlockRecord* block = report.add_blocks();
  block->set_block(request_.block());
  block->set_peak_gflops(report.peak_gflops());
  if (report.has_memory_gb_per_second()) block->set_memory_gb_per_second(report.memory_gb_per_second());
  FillBlockRecord(report.machine(), block);
  for (const Entry& entry : entries_) {
    block->add_rows(entry.subject->name());
    BenchRow* row = report.add_rows();
    *row = Row(entry);
    if (assemble > 0) row->set_assemble_seconds(assemble);
    if (row->blocks_size() > 0) row->mutable_blocks(0)->set_disturbed(block->disturbed());
  }
  return report;
}

}  // namespace

absl::StatusOr<BenchReport> RunBlock(const BlockRequest& request, absl::Span<const std::unique_ptr<Subject>> subjects,
                                     ThreadPool* pool, std::ostream* progress) {
  return Block(request, subjects, pool, progress).Run();
}

}  // namespace earshot
