// A cell out of primitive parts: one matrix product a gate, and a pass over memory for each element-wise operation.
#ifndef EARSHOT_LSTM_BASIC_BASIC_H_
#define EARSHOT_LSTM_BASIC_BASIC_H_

#include <memory>

#include "absl/status/statusor.h"
#include "lstm/lstm.h"

namespace earshot {

absl::StatusOr<std::unique_ptr<Lstm>> CreateBasic(const LstmLevelConfig& config, const LstmContext& context);

}  // namespace earshot

#endif  // EARSHOT_LSTM_BASIC_BASIC_H_
