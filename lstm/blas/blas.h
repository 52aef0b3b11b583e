// LSTM over a BLAS: the input projection of all steps as one product, one recurrent product a step, the weight
// gradients as one product over time.
#ifndef EARSHOT_LSTM_BLAS_BLAS_H_
#define EARSHOT_LSTM_BLAS_BLAS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "lstm/lstm.h"

namespace earshot {

absl::StatusOr<std::unique_ptr<Lstm>> CreateBlas(const LstmLevelConfig& config, const LstmContext& context);

}  // namespace earshot

#endif  // EARSHOT_LSTM_BLAS_BLAS_H_
