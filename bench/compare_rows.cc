#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "bench/bootstrap.h"
#include "bench/measure.h"
#include "bench/plan.h"
#include "bench/stats.h"
#include "bench/summary.h"
#include "bench/verdict.h"

namespace earshot {
namespace {

// Steady samples of one of the two sides, a vector a block.
struct Side {
  std::vector<std::vector<double>> blocks, disturbed;
  std::vector<double> medians;  // of `blocks`

  void Add(const BlockSamples& block, std::vector<double> steady) {
    if (steady.empty()) return;
    if (!block.disturbed()) medians.push_back(Quantile(steady, 0.5));
    (block.disturbed() ? disturbed : blocks).push_back(std::move(steady));
  }
};

// The row's own samples, of a step of all frames.
Side SideOf(const BenchRow& row) {
  Side side;
  for (const BlockSamples& block : row.blocks()) {
    side.Add(block, SteadySeconds(block, block.step_seconds(), block.warm_up(), FrameRatio(row)));
  }
  return side;
}

double MedianOfAll(const std::vector<std::vector<double>>& blocks) {
  std::vector<double> samples;
  for (const std::vector<double>& block : blocks) samples.insert(samples.end(), block.begin(), block.end());
  return Quantile(samples, 0.5);
}

// A peer that was measured on hardly a frame: what it needs to begin a step counts most then.
bool TooShort(const BenchConfig& config, const BenchRow& row) {
  if (!row.has_peer() || row.blocks_size() == 0 || !row.blocks(0).has_max_frames()) return false;
  return row.blocks(0).max_frames() < std::min(config.batch().max_frames(), kShortFrames);
}

std::string WhyNotComparable(const BenchConfig& config, const BenchRow& row, const BenchRow& other) {
  if (row.peer().has_absent()) return absl::StrCat("not here: ", row.peer().absent());
  if (row.no_time()) return row.problem();
  if (row.has_problem()) return absl::StrCat("wrong: ", row.problem());
  const double macs = row.peer().has_macs_per_frame() ? row.peer().macs_per_frame() : row.macs_per_frame();
  if (macs != other.macs_per_frame()) {
    return absl::StrCat("other work: ", macs, " multiply-adds a frame, ", other.implementation(), " ",
                        other.macs_per_frame());
  }
  if (!row.peer().comparable()) return absl::StrCat("another function: ", row.peer().note());
  if (TooShort(config, row)) {
    return absl::StrCat("measured on ", row.blocks(0).max_frames(), " of ", config.batch().max_frames(),
                        " frames: give it more time");
  }
  return row.verified() ? "" : "not verified";
}

void Judge(Side row, Side other, uint64_t seed, Comparison* comparison) {
  comparison->set_blocks(static_cast<int>(std::min(row.blocks.size(), other.blocks.size())));
  const bool disturbed = row.blocks.empty() || other.blocks.empty();
  if (disturbed) {
    row.blocks.insert(row.blocks.end(), row.disturbed.begin(), row.disturbed.end());
    other.blocks.insert(other.blocks.end(), other.disturbed.begin(), other.disturbed.end());
    comparison->set_verdict(Comparison::REFUSED);
    if (row.blocks.empty() || other.blocks.empty()) return comparison->set_reason("no steady samples");
    comparison->set_reason("disturbed: other programs or the host took part of the machine in every block");
  }
  comparison->set_ratio(MedianOfAll(row.blocks) / MedianOfAll(other.blocks));
  const Interval interval = MedianRatioInterval(row.blocks, other.blocks, seed);
  comparison->set_low(interval.low);
  comparison->set_high(interval.high);
  if (disturbed) return;
  const Verdict verdict = CompareBlocks(other.medians, row.medians);
  comparison->set_p_value(verdict.p);
  switch (verdict.kind) {
    case VerdictKind::kFaster:
      comparison->set_verdict(Comparison::FASTER);
      break;
    case VerdictKind::kSlower:
      comparison->set_verdict(Comparison::SLOWER);
      break;
    case VerdictKind::kCannotTell:
      comparison->set_verdict(Comparison::CANNOT_TELL);
      comparison->set_reason(VerdictText(verdict));
      break;
  }
}

const BenchRow* Fastest(const BenchReport& report, double at) {
  const BenchRow* fastest = nullptr;
  for (const BenchRow& row : report.rows()) {
    if (row.has_peer() || !row.verified() || row.blocks_size() == 0 || row.at() != at) continue;
    if (fastest == nullptr || row.median_seconds() < fastest->median_seconds()) fastest = &row;
  }
  return fastest;
}

}  // namespace

void CompareRows(BenchReport* report) {
  report->clear_comparisons();
  for (BenchRow& row : *report->mutable_rows()) {
    const BenchRow* other = Fastest(*report, row.at());
    for (const BenchRow& own : report->rows()) {
      if (row.peer().has_beside() && own.implementation() == row.peer().beside() && own.at() == row.at()) other = &own;
    }
    if (other == nullptr || other == &row) continue;
    Comparison* comparison = report->add_comparisons();
    comparison->set_row(row.implementation());
    comparison->set_other(other->implementation());
    if (row.has_at()) comparison->set_at(row.at());
    const std::string reason = WhyNotComparable(ConfigOfRow(report->config(), row), row, *other);
    if (!reason.empty()) {
      comparison->set_verdict(Comparison::REFUSED);
      comparison->set_reason(reason);
      continue;
    }
    if (!row.has_peer()) {
      Judge(SideOf(row), SideOf(*other), report->config().seed(), comparison);
      continue;
    }
    // Both on the frames that were measured: nothing is extrapolated.
    Side mine, beside;
    for (const BlockSamples& block : row.blocks()) {
      mine.Add(block, SteadySeconds(block, block.step_seconds(), block.warm_up(), 1));
      beside.Add(block, SteadySeconds(block, block.beside_step_seconds(), block.beside_warm_up(), 1));
    }
    Judge(mine, beside, report->config().seed(), comparison);
    if (comparison->has_ratio()) row.mutable_peer()->set_times_slower(comparison->ratio());
  }
}

}  // namespace earshot
