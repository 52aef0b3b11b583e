// Entry points of the implementations on an NVIDIA GPU. A build without CUDA has cuda_stub.cc in their place, so that
// the rows are in the table with the reason why they cannot run.
#ifndef EARSHOT_LSTM_CUDA_H_
#define EARSHOT_LSTM_CUDA_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lstm/lstm.h"

namespace earshot {

absl::Status CudaAvailable();  // Unavailable with the reason: built without CUDA, no device...

absl::StatusOr<std::unique_ptr<Lstm>> CreateCudnn(const LstmLevelConfig& config, const LstmContext& context);
absl::StatusOr<std::unique_ptr<Lstm>> CreateCudaFused(const LstmLevelConfig& config, const LstmContext& context);
absl::StatusOr<std::unique_ptr<Lstm>> CreateCudaPersistent(const LstmLevelConfig& config, const LstmContext& context);

}  // namespace earshot

#endif  // EARSHOT_LSTM_CUDA_H_
