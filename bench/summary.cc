#include "bench/summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "bench/bench_config.h"
#include "bench/bootstrap.h"
#include "bench/flops.h"
#include "bench/measure.h"
#include "bench/stats.h"
#include "bench/verify.h"

namespace earshot {
namespace {

// What one block says of a row, put beside what the ones before said.
void MergeRow(const BenchRow& from, BenchRow* row) {
  if (row->has_problem()) return;
  if (from.has_problem()) {
    *row = from;
    row->clear_blocks();
    return;
  }
  for (const BlockSamples& block : from.blocks()) {
    *row->add_blocks() = block;
    const absl::Status same =
        CompareLosses({row->blocks(0).losses().data(), static_cast<size_t>(row->blocks(0).losses_size())},
                      {block.losses().data(), static_cast<size_t>(block.losses_size())});
    if (same.ok()) continue;
    row->set_problem(absl::StrCat("block ", block.block(), ": ", std::string(same.message())));
    row->set_verified(false);
    row->clear_blocks();
    return;
  }
  if (from.memory_bytes() > row->memory_bytes()) row->set_memory_bytes(from.memory_bytes());
  if (from.has_peer()) {
    PeerRecord* peer = row->mutable_peer();
    peer->set_clock_disagreements(peer->clock_disagreements() + from.peer().clock_disagreements());
    peer->set_clock_gap_seconds(std::max(peer->clock_gap_seconds(), from.peer().clock_gap_seconds()));
  }
}

// The works' own method: the steps of one process after the first fifth.
void SetSeedMethod(const BlockSamples& block, double ratio, BenchRow* row) {
  double sum = 0, squares = 0;
  const int first = block.step_seconds_size() / 5, n = block.step_seconds_size() - first;
  for (int i = first; i < block.step_seconds_size(); ++i) {
    const double seconds = Extrapolate(block.step_seconds(i), block.fixed_seconds(), ratio);
    sum += seconds;
    squares += seconds * seconds;
  }
  const double mean = sum / n;
  row->set_seed_mean_seconds(mean);
  row->set_seed_sd_seconds(std::sqrt(std::max(0.0, squares / n - mean * mean)));  // numpy's default: over n
}

void SummarizeRow(const BenchConfig& config, double peak_gflops, BenchRow* row) {
  if (row->blocks_size() == 0) return;
  const double ratio = FrameRatio(*row);
  std::vector<std::vector<double>> blocks;
  std::vector<double> all;
  for (const BlockSamples& block : row->blocks()) {
    blocks.push_back(SteadySeconds(block, block.step_seconds(), block.warm_up(), ratio));
    all.insert(all.end(), blocks.back().begin(), blocks.back().end());
  }
  const Summary summary = Summarize(all);
  row->set_median_seconds(summary.median);
  row->set_p10_seconds(summary.p10);
  row->set_p90_seconds(summary.p90);
  row->set_n(summary.n);
  const Interval interval = MedianInterval(blocks, config.seed());
  row->set_low_seconds(interval.low);
  row->set_high_seconds(interval.high);
  SetSeedMethod(row->blocks(0), ratio, row);
  if (peak_gflops > 0) row->set_share_of_peak(row->useful_gflop() / summary.median / peak_gflops);
  const BenchConfig own = ConfigOfRow(config, *row);
  if (DependentSteps(own) > 0) {
    row->set_microseconds_per_dependent_step(summary.median * 1e6 / static_cast<double>(DependentSteps(own)));
  }
  row->set_microseconds_per_valid_frame(summary.median * 1e6 / row->valid_frames());
  const double padded = static_cast<double>(own.batch().utterances()) * own.batch().max_frames();
  row->set_padding_ratio(1 - row->valid_frames() / padded);
}

// A block's row; where it has a peer, the peer's with the samples of the own row beside it, which itself is left out.
std::vector<BenchRow> RowsOf(const BenchReport& block) {
  std::vector<BenchRow> rows(block.rows().begin(), block.rows().end());
  if (rows.size() != 2 || !rows[1].has_peer()) return rows;
  const BenchRow own = rows[0];
  rows.erase(rows.begin());
  if (own.blocks_size() == 0 || rows[0].blocks_size() == 0) return rows;
  rows[0].mutable_peer()->set_beside(own.implementation());
  BlockSamples* samples = rows[0].mutable_blocks(0);
  *samples->mutable_beside_step_seconds() = own.blocks(0).step_seconds();
  samples->set_beside_warm_up(own.blocks(0).warm_up());
  return rows;
}

}  // namespace

BenchConfig ConfigOfRow(const BenchConfig& config, const BenchRow& row) {
  for (const ConfigPoint& point : ExpandPoints(config)) {
    if (!row.has_at() || point.at == row.at()) return point.config;
  }
  return config;
}

double PeakOfRow(const BenchReport& report, const BenchRow& row) {
  if (!row.has_at()) return report.peak_gflops();
  std::set<int> blocks;  // of the row's point
  for (const BenchRow& other : report.rows()) {
    if (other.at() != row.at()) continue;
    for (const BlockSamples& block : other.blocks()) blocks.insert(block.block());
  }
  double peak = 0;
  for (const BlockRecord& block : report.blocks()) {
    if (blocks.count(block.block()) > 0) peak = std::max(peak, block.peak_gflops());
  }
  return peak > 0 ? peak : report.peak_gflops();
}

BenchReport MergeBlocks(const BenchConfig& config, absl::Span<const BenchReport> blocks) {
  BenchReport report;
  *report.mutable_config() = config;
  std::map<std::pair<double, std::string>, int> places;  // of rows, by point and name
  for (const BenchReport& block : blocks) {
    if (!report.has_machine()) *report.mutable_machine() = block.machine();
    report.set_peak_gflops(std::max(report.peak_gflops(), block.peak_gflops()));
    report.set_gemm_gflops(std::max(report.gemm_gflops(), block.gemm_gflops()));
    if (block.memory_gb_per_second() > report.memory_gb_per_second()) {
      report.set_memory_gb_per_second(block.memory_gb_per_second());
    }
    for (const BlockRecord& record : block.blocks()) *report.add_blocks() = record;
    for (BenchRow& row : RowsOf(block)) {
      const auto inserted = places.insert({{row.at(), row.implementation()}, report.rows_size()});
      if (inserted.second) {
        *report.add_rows() = std::move(row);
      } else {
        MergeRow(row, report.mutable_rows(inserted.first->second));
      }
    }
  }
  SummarizeRows(&report);
  for (BenchRow& row : *report.mutable_rows()) TakePhases(&row);
  CompareRows(&report);
  return report;
}

void SummarizeRows(BenchReport* report) {
  for (BenchRow& row : *report->mutable_rows()) SummarizeRow(report->config(), PeakOfRow(*report, row), &row);
}

}  // namespace earshot
