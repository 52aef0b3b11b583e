// A cell with one matrix product and one fused element-wise pass a step.
#ifndef EARSHOT_LSTM_FUSED_CELL_FUSED_CELL_H_
#define EARSHOT_LSTM_FUSED_CELL_FUSED_CELL_H_

#include <memory>

#include "absl/status/statusor.h"
#include "lstm/lstm.h"

namespace earshot {

absl::StatusOr<std::unique_ptr<Lstm>> CreateFusedCell(const LstmLevelConfig& config, const LstmContext& context);

}  // namespace earshot

#endif  // EARSHOT_LSTM_FUSED_CELL_FUSED_CELL_H_
