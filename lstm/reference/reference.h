// The definition in single precision, as a row of the registry.
#ifndef EARSHOT_LSTM_REFERENCE_REFERENCE_H_
#define EARSHOT_LSTM_REFERENCE_REFERENCE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "lstm/lstm.h"

namespace earshot {

absl::StatusOr<std::unique_ptr<Lstm>> CreateReference(const LstmLevelConfig& config, const LstmContext& context);

}  // namespace earshot

#endif  // EARSHOT_LSTM_REFERENCE_REFERENCE_H_
