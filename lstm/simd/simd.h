// Own vector kernels for whole levels: packed weights, input products in chunks of time, gates right behind the
// recurrent product, weight gradients as products over time. The same bits for any number of threads and either
// schedule.
#ifndef EARSHOT_LSTM_SIMD_SIMD_H_
#define EARSHOT_LSTM_SIMD_SIMD_H_

#include <memory>

#include "absl/status/statusor.h"
#include "lstm/lstm.h"

namespace earshot {

absl::StatusOr<std::unique_ptr<Lstm>> CreateSimd(const LstmLevelConfig& config, const LstmContext& context);

}  // namespace earshot

#endif  // EARSHOT_LSTM_SIMD_SIMD_H_
