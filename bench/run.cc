#include "bench/run.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/random.h"
#include "base/status_macros.h"
#include "bench/bench_config.h"
#include "bench/machine.h"
#include "bench/plan.h"
#include "bench/summary.h"

namespace earshot {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kOwnShare = 0.4;    // of the time, where there are peers
constexpr double kHopeless = 20;     // rows so many times slower than the fastest beside them are measured once
constexpr double kPeerSeconds = 10;  // that a peer needs at least, to start and be compared

// Rows that take turns.
struct Group {
  std::vector<BlockRequest::Row> rows;  // a peer is the second of two
  bool has_peer = false;
  double share = 0;  // of the time
  double needs = 0;  // seconds of a further block, about
};

// Of its last step, for one frame.
double FrameSeconds(const BenchRow& row) {
  const BlockSamples& samples = row.blocks(0);
  return samples.step_seconds(samples.step_seconds_size() - 1) /
         (row.scaled_frames() > 0 ? row.scaled_frames() : row.valid_frames());
}

class Run {
 public:
  Run(const BenchConfig& config, const BenchRows& rows, const BlockRunner& run, std::ostream* progress)
      : config_(config), rows_(rows), run_(run), progress_(*progress) {}

  absl::StatusOr<BenchReport> All();

 private:
  static double Seconds(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }
  void RunPoint(const ConfigPoint& point, double seconds);
  std::vector<Group> OwnGroups(const BenchConfig& config) const;
  void FirstRound(const ConfigPoint& point, double seconds, std::vector<Group>* groups);
  void RunGroup(const ConfigPoint& point, double seconds, double at_most, bool first, Group* group);
  std::string FastestOwn(size_t first_report) const;
  // A row that says why it has no times.
  void AddProblem(const ConfigPoint& point, const std::string& name, bool is_peer, const std::string& problem,
                  bool absent);

  const BenchConfig& config_;
  const BenchRows& rows_;
  const BlockRunner& run_;
  std::ostream& progress_;
  std::vector<BenchReport> reports_;
  int next_block_ = 0;
  bool interrupted_ = false;  // no further block
};

void Run::AddProblem(const ConfigPoint& point, const std::string& name, bool is_peer, const std::string& problem,
                     bool absent) {
  BenchReport report;
  BenchRow* row = report.add_rows();
  row->set_config(config_.name());
  row->set_implementation(name);
  row->set_verified(false);
  row->set_problem(problem);
  if (config_.point_size() > 0) row->set_at(point.at);
  if (is_peer) row->mutable_peer();
  if (absent) row->mutable_peer()->set_absent(problem);
  reports_.push_back(std::move(report));
  progress_ << name << ": " << problem << std::endl;
}

// As many rows as the memory holds at once.
std::vector<Group> Run::OwnGroups(const BenchConfig& config) const {
  constexpr double kUsable = 0.7;
  const double memory = kUsable * static_cast<double>(AvailableMemory());
  const double bytes = static_cast<double>(EstimatedBytes(config));
  const size_t together = std::max<size_t>(1, static_cast<size_t>(memory / bytes));
  std::vector<Group> groups;
  for (const std::string& name : rows_.own) {
    if (groups.empty() || groups.back().rows.size() == together) groups.emplace_back();
    groups.back().rows.emplace_back();
    groups.back().rows.back().set_name(name);
    groups.back().share += (rows_.peers.empty() ? 1 : kOwnShare) / static_cast<double>(rows_.own.size());
  }
  return groups;
}

void Run::RunGroup(const ConfigPoint& point, double seconds, double at_most, bool first, Group* group) {
  BlockRequest request;
  *request.mutable_config() = point.config;
  request.set_block(next_block_++);
  for (const BlockRequest::Row& row : group->rows) *request.add_row() = row;
  request.set_seconds(seconds);
  request.set_seconds_at_most(std::max(seconds, at_most));
  request.set_check(first);
  const bool has_peer = group->has_peer;
  const auto start = Clock::now();
  absl::StatusOr<BenchReport> report = run_(request);
  const double block_seconds = Seconds(start);
  const std::string names = absl::StrJoin(
      group->rows, ", ", [](std::string* out, const BlockRequest::Row& row) { absl::StrAppend(out, row.name()); });
  if (absl::IsCancelled(report.status())) {
    interrupted_ = true;
    return;
  }
  if (!report.ok()) {
    const std::string problem(report.status().message());
    for (size_t i = has_peer ? 1 : 0; i < group->rows.size(); ++i) {
      AddProblem(point, group->rows[i].name(), has_peer, problem, /*absent=*/false);
    }
    group->rows.clear();
    return;
  }
  progress_ << absl::StrFormat("block %d: %s (%.1f s)%s\n", request.block(), names, block_seconds,
                               report->blocks(0).disturbed() ? ", DISTURBED" : "")
            << std::flush;
  // What the next blocks measure: rows without a problem whose steps do not take all the time.
  std::vector<BlockRequest::Row> next;
  double fewest_steps = 0, quickest = std::numeric_limits<double>::infinity();
  for (const BenchRow& row : report->rows()) {
    if (!row.has_problem() && row.blocks_size() > 0) quickest = std::min(quickest, FrameSeconds(row));
  }
  for (BenchRow& row : *report->mutable_rows()) {
    if (config_.point_size() > 0) row.set_at(point.at);
    if (row.has_problem() || row.blocks_size() == 0) continue;
    const BlockSamples& samples = row.blocks(0);
    const bool full = samples.max_frames() == point.config.batch().max_frames();
    const double last = samples.step_seconds(samples.step_seconds_size() - 1);
    if ((!full && last > kLongStepSeconds) || (!has_peer && FrameSeconds(row) > kHopeless * quickest)) continue;
    next.emplace_back();
    next.back().set_name(row.implementation());
    next.back().set_max_frames(samples.max_frames());
    fewest_steps += kMinSteps * last;
  }
  if (has_peer && next.size() < 2) next.clear();
  // A peer takes as long to start as before; our rows do not compare and try out again.
  constexpr double kStartSeconds = 2;
  group->needs = has_peer ? block_seconds : std::min(block_seconds, std::max(seconds, fewest_steps) + kStartSeconds);
  group->rows = std::move(next);
  reports_.push_back(*std::move(report));
}

// Of the reports since `first_report`.
std::string Run::FastestOwn(size_t first_report) const {
  const BenchReport merged = MergeBlocks(config_, absl::MakeConstSpan(reports_).subspan(first_report));
  const BenchRow* fastest = nullptr;
  for (const BenchRow& row : merged.rows()) {
    if (row.has_peer() || !row.verified() || row.blocks_size() == 0) continue;
    if (fastest == nullptr || row.median_seconds() < fastest->median_seconds()) fastest = &row;
  }
  return fastest == nullptr ? "" : fastest->implementation();
}

void Run::FirstRound(const ConfigPoint& point, double seconds, std::vector<Group>* groups) {
  const auto start = Clock::now();
  const size_t first_report = reports_.size();
  for (Group& group : *groups) {
    if (interrupted_) return;
    RunGroup(point, group.share * seconds / config_.blocks(), group.share * seconds, /*first=*/true, &group);
  }
  const std::string fastest = FastestOwn(first_report);
  // Our rows' further blocks come first: what they need of their share is not the peers'.
  double own_needs = 0;
  for (const Group& group : *groups) own_needs += group.needs * (config_.blocks() - 1);
  const double for_peers = seconds - std::min(own_needs, std::max(0.0, kOwnShare * seconds - Seconds(start)));
  // Who is to be measured at full length comes first and may take what the others do not need.
  const auto is_full = [&](const std::string& name) {
    const auto& full = config_.full_length();
    return std::find(full.begin(), full.end(), name) != full.end();
  };
  std::vector<std::string> peers = rows_.peers;
  std::stable_partition(peers.begin(), peers.end(), is_full);
  int left = static_cast<int>(peers.size());
  for (const std::string& name : peers) {
    if (interrupted_) return;
    const double remaining = for_peers - Seconds(start);
    const double at_most =
        is_full(name) ? std::max(remaining / left, remaining - (left - 1) * kPeerSeconds) : remaining / left;
    --left;
    if (fastest.empty() || remaining <= 0) {
      AddProblem(point, name, /*is_peer=*/true, fastest.empty() ? "no row of ours beside it" : "no time left", true);
      continue;
    }
    Group group;
    for (const std::string& row : {fastest, name}) {
      group.rows.emplace_back();
      group.rows.back().set_name(row);
    }
    group.has_peer = true;
    group.share = (1 - kOwnShare) / static_cast<double>(rows_.peers.size());
    RunGroup(point, std::min(at_most, group.share * seconds / config_.blocks()), at_most, /*first=*/true, &group);
    groups->push_back(std::move(group));
  }
}

void Run::RunPoint(const ConfigPoint& point, double seconds) {
  const auto start = Clock::now();
  std::vector<Group> groups = OwnGroups(point.config);
  FirstRound(point, seconds, &groups);
  for (int round = 1; round < config_.blocks(); ++round) {
    std::vector<Group*> order;
    for (Group& group : groups) order.push_back(&group);
    RandomStream(config_.seed(), RandomPurpose::kBench, round, 2).Shuffle(&order);
    for (Group* group : order) {
      if (interrupted_) return;
      // A peer leaves our rows the time for the rounds that are to come.
      double end = seconds;
      for (const Group& own : groups) {
        if (group->has_peer && !own.has_peer && !own.rows.empty()) end -= own.needs * (config_.blocks() - round);
      }
      if (group->rows.empty() || Seconds(start) + group->needs > end) continue;
      RunGroup(point, group->share * seconds / config_.blocks(), 0, /*first=*/false, group);
    }
  }
}

absl::StatusOr<BenchReport> Run::All() {
  RETURN_IF_ERROR(ValidateBenchConfig(config_));
  MachineRecorder recorder(config_.threads());
  const std::vector<ConfigPoint> points = ExpandPoints(config_);
  for (const ConfigPoint& point : points) {
    if (!interrupted_) RunPoint(point, config_.max_seconds() / static_cast<double>(points.size()));
  }
  if (interrupted_ && next_block_ == 1) return absl::CancelledError("interrupted before the first block was done");
  BenchReport report = MergeBlocks(config_, reports_);
  if (interrupted_) report.set_interrupted(true);
  MachineRecord machine = recorder.Finish();
  // Of the first block, where all points compute with as many.
  if (report.has_machine()) machine.set_threads(report.machine().threads());
  if (ThreadsDiffer(config_)) machine.clear_threads();
  *report.mutable_machine() = machine;
  return report;
}

}  // namespace

absl::StatusOr<BenchReport> RunBench(const BenchConfig& config, const BenchRows& rows, const BlockRunner& run,
                                     std::ostream* progress) {
  return Run(config, rows, run, progress).All();
}

}  // namespace earshot
