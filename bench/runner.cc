#include "bench/runner.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "bench/bench_config.h"
#include "bench/flops.h"
#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/peak.h"
#include "bench/plan.h"
#include "bench/verify.h"
#include "lstm/registry.h"

namespace earshot {
namespace {

constexpr double kPeakSeconds = 0.5;  // of each of the four measurements of a peak

// What a peer's Load says that cannot be had (bench/peer_subject.h).
bool IsAbsent(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsUnimplemented(status) || absl::IsNotFound(status);
}

class Runner {
 public:
  Runner(const BenchConfig& config, absl::Span<const std::unique_ptr<Subject>> subjects, ThreadPool* pool,
         std::ostream* progress)
      : config_(config), pool_(pool), progress_(*progress) {
    for (const std::unique_ptr<Subject>& subject : subjects) entries_.emplace_back(subject.get());
  }

  absl::StatusOr<BenchReport> Run();

 private:
  struct Entry {
    explicit Entry(Subject* s) : subject(s), measured(s) {}
    bool is_peer() const { return subject->peer() != nullptr; }
    Subject* subject;
    std::string problem;  // why it is not timed
    bool absent = false;  // that is, because this peer is not here
    bool verified = false;
    double start_seconds = 0;  // of a peer's process, at most
    StepCost cost;
    Measurement measured;
    double beside_seconds = 0;      // for the steps of `beside`
    std::unique_ptr<Entry> beside;  // our own row that takes turns with this peer
  };

  double Elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  absl::Status Verify();
  void Probe();
  void Plan();
  void MeasureOwn();
  void MeasurePeers();
  void MeasureTogether(const std::vector<Entry*>& group);
  BenchRow Row(const Entry& entry, double peak_gflops) const;
  void MeasurePeaks(BenchReport* report);
  // Calls f for every entry without a problem; an error becomes its problem.
  template <typename F>
  void ForEachGood(const std::vector<Entry*>& entries, F f);
  std::vector<Entry*> All();
  std::vector<Entry*> Good(bool peers);  // our own rows, or the peers, without a problem
  const Batch& BatchOf(const BenchConfig& config);

  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
  const BenchConfig config_;
  ThreadPool* const pool_;
  std::ostream& progress_;
  std::vector<Entry> entries_;
  std::vector<float> params_;
  std::map<int, Batch> batches_;  // by max_frames
};

std::vector<Runner::Entry*> Runner::All() {
  std::vector<Entry*> all;
  for (Entry& entry : entries_) all.push_back(&entry);
  return all;
}

std::vector<Runner::Entry*> Runner::Good(bool peers) {
  std::vector<Entry*> good;
  for (Entry* entry : All()) {
    if (entry->problem.empty() && entry->is_peer() == peers) good.push_back(entry);
  }
  return good;
}

template <typename F>
void Runner::ForEachGood(const std::vector<Entry*>& entries, F f) {
  for (Entry* entry : entries) {
    if (!entry->problem.empty()) continue;
    const absl::Status status = f(entry);
    if (status.ok()) continue;
    entry->problem = std::string(status.message());
    entry->absent = entry->is_peer() && IsAbsent(status);
    entry->subject->Unload();
    progress_ << entry->subject->name() << (entry->absent ? ": not here: " : ": WRONG: ") << entry->problem
              << std::endl;
  }
}

const Batch& Runner::BatchOf(const BenchConfig& config) {
  const int frames = config.batch().max_frames();
  const auto found = batches_.find(frames);
  return found != batches_.end() ? found->second : batches_.emplace(frames, MakeBatch(config)).first->second;
}

absl::Status Runner::Verify() {
  const BenchConfig shrunk = ShrunkConfig(config_);
  const Batch batch = MakeBatch(shrunk);
  ASSIGN_OR_RETURN(params_, CanonicalParameters(config_, pool_));
  TrainerSubject reference(&LstmImplementations()[0], pool_);
  ASSIGN_OR_RETURN(const Trace expected, RecordTrace(shrunk, params_, batch, &reference));
  ForEachGood(All(), [&](Entry* entry) -> absl::Status {
    entry->verified = entry->subject->name() == reference.name();  // right by definition
    if (entry->verified) return absl::OkStatus();
    const double start = Elapsed();
    ASSIGN_OR_RETURN(const Trace actual, RecordTrace(shrunk, params_, batch, entry->subject));
    if (entry->is_peer()) {
      entry->start_seconds = Elapsed() - start;
      if (!entry->subject->peer()->comparable()) return absl::OkStatus();
    }
    RETURN_IF_ERROR(CompareTraces(shrunk, expected, actual, entry->subject->tolerance_factor()));
    entry->verified = true;
    progress_ << absl::StreamFormat("%s: verified (%.1f s)\n", entry->subject->name(), Elapsed()) << std::flush;
    return absl::OkStatus();
  });
  return absl::OkStatus();
}

// Short steps, longer and longer, until one says enough about the row's speed.
void Runner::Probe() {
  constexpr double kEnoughSeconds = 0.1;
  ForEachGood(All(), [&](Entry* entry) -> absl::Status {
    BenchConfig probe = config_;
    // Some frameworks compile for every number of frames.
    for (int frames = entry->is_peer() ? 64 : 4;; frames *= 4) {
      *probe.mutable_batch() = WithMaxFrames(config_.batch(), frames);
      const Batch batch = MakeBatch(probe);
      RETURN_IF_ERROR(entry->measured.Load(probe, params_));
      RETURN_IF_ERROR(entry->measured.Step(batch));
      // The first step also takes the memory; when it is slow anyway, that does not matter.
      if (entry->measured.last().seconds < 1) RETURN_IF_ERROR(entry->measured.Step(batch));
      const StepSample last = entry->measured.last();
      entry->cost = CostFromStep(last.seconds, last.fixed_seconds(), batch.packing.rows());
      if (last.seconds > kEnoughSeconds || 4 * frames >= config_.batch().max_frames()) break;
    }
    entry->measured.Unload();
    return absl::OkStatus();
  });
}

void Runner::Plan() {
  std::vector<Entry*> good = Good(/*peers=*/false);
  std::vector<StepCost> own, peers;
  for (const Entry* entry : good) own.push_back(entry->cost);
  double start_seconds = 0;
  for (Entry* peer : Good(/*peers=*/true)) {
    good.push_back(peer);
    peers.push_back(peer->cost);
    start_seconds += peer->start_seconds;
  }
  // Long steps cost somewhat more a frame than the short ones of the probe, and the rest of the run needs its time too.
  constexpr double kUsable = 0.85;
  const double left = config_.max_seconds() - Elapsed() - 2 * kPeakSeconds - start_seconds;
  const std::vector<RowPlan> plans = PlanRows(config_, own, peers, kUsable * left);
  for (size_t i = 0; i < good.size(); ++i) {
    BenchConfig scaled = config_;
    *scaled.mutable_batch() = plans[i].batch;
    good[i]->measured.SetPlan(scaled, plans[i].seconds);
    good[i]->beside_seconds = plans[i].beside_seconds;
    progress_ << absl::StreamFormat("%s: about %.3g s a full step; %d of %d frames\n", good[i]->subject->name(),
                                    good[i]->cost.Seconds(ValidFrames(config_.batch())), ValidFrames(scaled.batch()),
                                    ValidFrames(config_.batch()))
              << std::flush;
  }
}

// As many rows take turns as the memory holds at once.
void Runner::MeasureOwn() {
  constexpr double kUsable = 0.7;
  const double memory = kUsable * static_cast<double>(AvailableMemory());
  std::vector<Entry*> group;
  double used = 0;
  for (Entry* entry : Good(/*peers=*/false)) {
    const double bytes = static_cast<double>(EstimatedBytes(entry->measured.config()));
    if (!group.empty() && used + bytes > memory) {
      MeasureTogether(group);
      group.clear();
      used = 0;
    }
    group.push_back(entry);
    used += bytes;
  }
  MeasureTogether(group);
}

// One peer after the other, so that at most one of their processes lives, each in turns with the fastest own row.
void Runner::MeasurePeers() {
  const auto faster = [frames = ValidFrames(config_.batch())](const Entry* a, const Entry* b) {
    return a->measured.MedianSeconds(frames) < b->measured.MedianSeconds(frames);
  };
  const std::vector<Entry*> own = Good(/*peers=*/false);
  const auto fastest = std::min_element(own.begin(), own.end(), faster);
  for (Entry* peer : Good(/*peers=*/true)) {
    if (own.empty()) {
      MeasureTogether({peer});
      continue;
    }
    peer->beside = std::make_unique<Entry>((*fastest)->subject);
    Measurement& beside = peer->beside->measured;
    beside.SetPlan(peer->measured.config(), peer->beside_seconds);
    MeasureTogether({peer->beside.get(), peer});
    if (!peer->verified) continue;
    // Verified on few frames; and these are the frames that were timed.
    ForEachGood({peer}, [&](Entry*) { return CompareLosses(beside.losses(), peer->measured.losses()); });
  }
}

void Runner::MeasureTogether(const std::vector<Entry*>& group) {
  int rounds = 0;
  ForEachGood(group, [&](Entry* entry) -> absl::Status {
    const Batch& batch = BatchOf(entry->measured.config());
    RETURN_IF_ERROR(entry->measured.Load(entry->measured.config(), params_));
    RETURN_IF_ERROR(entry->measured.WarmUp(batch, config_.max_steps()));
    rounds = std::max(rounds, entry->measured.planned_steps());
    return absl::OkStatus();
  });
  for (int round = 0; round < rounds; ++round) {
    ForEachGood(group, [&](Entry* entry) -> absl::Status {
      Measurement& m = entry->measured;
      const bool late = Elapsed() > config_.max_seconds() && !m.samples().empty();
      const bool turn = group.back()->is_peer() || TakesPart(round, rounds, m.planned_steps());  // strictly with a peer
      if (late || !turn) return absl::OkStatus();
      return m.Step(BatchOf(m.config()));
    });
  }
  for (Entry* entry : group) entry->measured.Unload();
}

// Before and after the rows: the clock may change with the work.
void Runner::MeasurePeaks(BenchReport* report) {
  report->set_peak_gflops(std::max(report->peak_gflops(), MeasurePeakGflops(pool_, kPeakSeconds)));
  report->set_gemm_gflops(std::max(report->gemm_gflops(), MeasureGemmGflops(pool_, kPeakSeconds)));
}

BenchRow Runner::Row(const Entry& entry, double peak_gflops) const {
  BenchRow row;
  row.set_config(config_.name());
  row.set_implementation(entry.subject->name());
  row.set_useful_gflop(UsefulFlops(config_).total() * 1e-9);
  row.set_parameters(static_cast<int>(params_.size()));
  row.set_valid_frames(static_cast<int>(ValidFrames(config_.batch())));
  row.set_scaled_frames(0);
  const bool comparable = !entry.is_peer() || entry.subject->peer()->comparable();
  row.set_verified(entry.problem.empty() && entry.verified && comparable);
  if (!entry.problem.empty()) row.set_problem(entry.problem);
  if (entry.problem.empty()) entry.measured.FillRow(peak_gflops, &row);
  if (!entry.is_peer()) return row;
  *row.mutable_peer() = *entry.subject->peer();
  if (entry.absent) row.mutable_peer()->set_absent(entry.problem);
  if (entry.problem.empty()) {
    const bool beside = entry.beside != nullptr && entry.beside->problem.empty();
    entry.measured.FillPeer(beside ? &entry.beside->measured : nullptr, &row);
  }
  return row;
}

absl::StatusOr<BenchReport> Runner::Run() {
  BenchReport report;
  *report.mutable_config() = config_;
  RETURN_IF_ERROR(ValidateBenchConfig(config_));
  MachineRecorder recorder(pool_->num_threads());
  MeasurePeaks(&report);
  RETURN_IF_ERROR(Verify());
  Probe();
  Plan();
  MeasureOwn();
  MeasurePeers();
  MeasurePeaks(&report);
  for (const Entry& entry : entries_) *report.add_rows() = Row(entry, report.peak_gflops());
  *report.mutable_machine() = recorder.Finish();
  return report;
}

}  // namespace

absl::StatusOr<BenchReport> RunBench(const BenchConfig& config, absl::Span<const std::unique_ptr<Subject>> subjects,
                                     ThreadPool* pool, std::ostream* progress) {
  return Runner(config, subjects, pool, progress).Run();
}

}  // namespace earshot
