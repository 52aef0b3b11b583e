#include "lstm/fused_cell/fused_cell.h"

#include <algorithm>

#include "base/gemm.h"
#include "lstm/cell_lstm.h"

namespace earshot {
namespace {

constexpr Transpose kNo = Transpose::kNo, kYes = Transpose::kYes;

class FusedCellLstm : public CellLstm {
 public:
  using CellLstm::CellLstm;

 private:
  // Runs `pass` over all units; a share is whole vectors, and large enough for a hand-over.
  template <typename Pass>
  void OverUnits(const GateStep& step, Pass pass) {
    constexpr int64_t kUnit = 16, kMinCells = 2048;
    const int64_t grain = kMinCells / (kUnit * step.batch) + 1;
    pool()->ParallelFor((step.hidden + kUnit - 1) / kUnit, grain, [&](int64_t begin, int64_t end) {
      pass(begin * kUnit, std::min(end * kUnit, step.hidden));
    });
  }

  void ForwardCell(const Cell& cell, const GateForward& step) override {
    const int64_t gates = 4 * step.hidden;
    Gemm(pool(), kNo, kYes, step.batch, gates, cell.k, 1, cell.xh, cell.k, cell.w, cell.k, 0, step.gates, gates);
    OverUnits(step, [&](int64_t begin, int64_t end) { ComputeGates(step, begin, end); });
  }

  void BackwardCell(const Cell& cell, const GateBackward& step) override {
    const int64_t gates = 4 * step.hidden;
    OverUnits(step, [&](int64_t begin, int64_t end) { ComputeGateGradients(step, begin, end); });
    Gemm(pool(), kYes, kNo, gates, cell.k, step.batch, 1, step.gates, gates, cell.xh, cell.k, 1, cell.dw, cell.k);
    Gemm(pool(), kNo, kNo, step.batch, cell.k, gates, 1, step.gates, gates, cell.w, cell.k, 0, cell.dxh, cell.k);
  }
};

}  // namespace

absl::StatusOr<std::unique_ptr<Lstm>> CreateFusedCell(const LstmLevelConfig& config, const LstmContext& context) {
  return std::make_unique<FusedCellLstm>(config, context);
}

}  // namespace earshot
