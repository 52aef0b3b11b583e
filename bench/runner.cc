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
    Subject* subject;
    std::string problem;  // why it is not timed
    StepCost cost;
    Measurement measured;
  };

  double Elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  absl::Status Verify();
  void Probe();
  void Plan();
  void Measure();
  void MeasureTogether(const std::vector<Entry*>& group);
  void MeasurePeaks(BenchReport* report);
  // Calls f for every entry without a problem; an error becomes its problem.
  template <typename F>
  void ForEachGood(const std::vector<Entry*>& entries, F f);
  std::vector<Entry*> All();
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

template <typename F>
void Runner::ForEachGood(const std::vector<Entry*>& entries, F f) {
  for (Entry* entry : entries) {
    if (!entry->problem.empty()) continue;
    const absl::Status status = f(entry);
    if (status.ok()) continue;
    entry->problem = std::string(status.message());
    entry->subject->Unload();
    progress_ << entry->subject->name() << ": WRONG: " << entry->problem << std::endl;
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
    if (entry->subject->name() == reference.name()) return absl::OkStatus();  // right by definition
    ASSIGN_OR_RETURN(const Trace actual, RecordTrace(shrunk, params_, batch, entry->subject));
    RETURN_IF_ERROR(CompareTraces(shrunk, expected, actual, entry->subject->tolerance_factor()));
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
    for (int frames = 4;; frames *= 4) {
      *probe.mutable_batch() = WithMaxFrames(config_.batch(), frames);
      const Batch batch = MakeBatch(probe);
      RETURN_IF_ERROR(entry->measured.Load(probe, params_));
      RETURN_IF_ERROR(entry->measured.Step(batch));
      // The first step also takes the memory; when it is slow anyway, that does not matter.
      if (entry->measured.last().seconds < 1) RETURN_IF_ERROR(entry->measured.Step(batch));
      const StepSample last = entry->measured.last();
      entry->measured.Unload();
      entry->cost = CostFromStep(last.seconds, last.fixed_seconds(), batch.packing.rows());
      if (last.seconds > kEnoughSeconds || 4 * frames >= config_.batch().max_frames()) return absl::OkStatus();
    }
  });
}

void Runner::Plan() {
  std::vector<Entry*> good;
  for (Entry* entry : All()) {
    if (entry->problem.empty()) good.push_back(entry);
  }
  // Twice what the probe says, and no less than a second: short steps are noisy.
  std::vector<double> needs;
  for (const Entry* entry : good) {
    const double steps = (kMaxWarmUpSteps + config_.max_steps()) * entry->cost.Seconds(ValidFrames(config_.batch()));
    needs.push_back(std::max(1.0, 2 * steps));
  }
  // Long steps cost somewhat more a frame than the short ones of the probe, and the rest of the run needs its time too.
  constexpr double kUsable = 0.85;
  const std::vector<double> shares = ShareTime(needs, kUsable * (config_.max_seconds() - Elapsed() - 2 * kPeakSeconds));
  for (size_t i = 0; i < good.size(); ++i) {
    BenchConfig scaled = config_;
    const int frames = FramesThatFit(config_.batch(), good[i]->cost, shares[i]);
    *scaled.mutable_batch() = WithMaxFrames(config_.batch(), frames);
    good[i]->measured.SetPlan(scaled, shares[i]);
    progress_ << absl::StreamFormat("%s: about %.3g s a full step; %d of %d frames\n", good[i]->subject->name(),
                                    good[i]->cost.Seconds(ValidFrames(config_.batch())), ValidFrames(scaled.batch()),
                                    ValidFrames(config_.batch()))
              << std::flush;
  }
}

// As many rows take turns as the memory holds at once.
void Runner::Measure() {
  constexpr double kUsable = 0.7;
  const double memory = kUsable * static_cast<double>(AvailableMemory());
  std::vector<Entry*> group;
  double used = 0;
  for (Entry* entry : All()) {
    if (!entry->problem.empty()) continue;
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
      if (late || !TakesPart(round, rounds, m.planned_steps())) return absl::OkStatus();
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

absl::StatusOr<BenchReport> Runner::Run() {
  BenchReport report;
  *report.mutable_config() = config_;
  RETURN_IF_ERROR(ValidateBenchConfig(config_));
  MachineRecorder recorder(pool_->num_threads());
  MeasurePeaks(&report);
  RETURN_IF_ERROR(Verify());
  Probe();
  Plan();
  Measure();
  MeasurePeaks(&report);
  for (Entry* entry : All()) {
    BenchRow* row = report.add_rows();
    row->set_config(config_.name());
    row->set_implementation(entry->subject->name());
    row->set_verified(entry->problem.empty());
    row->set_useful_gflop(UsefulFlops(config_).total() * 1e-9);
    row->set_parameters(static_cast<int>(params_.size()));
    row->set_valid_frames(static_cast<int>(ValidFrames(config_.batch())));
    row->set_scaled_frames(0);
    if (!entry->problem.empty()) row->set_problem(entry->problem);
    if (row->verified()) entry->measured.FillRow(report.peak_gflops(), row);
  }
  *report.mutable_machine() = recorder.Finish();
  return report;
}

}  // namespace

absl::StatusOr<std::vector<std::unique_ptr<Subject>>> TrainerSubjects(const std::vector<std::string>& names,
                                                                      ThreadPool* pool) {
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const LstmImplementation* implementation, FindLstmImplementation(name));
    RETURN_IF_ERROR(Annotate(implementation->available(), name));
    subjects.push_back(std::make_unique<TrainerSubject>(implementation, pool));
  }
  for (const LstmImplementation& implementation : LstmImplementations()) {
    if (!names.empty() || !implementation.available().ok()) continue;
    subjects.push_back(std::make_unique<TrainerSubject>(&implementation, pool));
  }
  return subjects;
}

absl::StatusOr<BenchReport> RunBench(const BenchConfig& config, absl::Span<const std::unique_ptr<Subject>> subjects,
                                     ThreadPool* pool, std::ostream* progress) {
  return Runner(config, subjects, pool, progress).Run();
}

}  // namespace earshot
