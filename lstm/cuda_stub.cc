#include "lstm/cuda.h"

namespace earshot {

absl::Status CudaAvailable() { return absl::UnavailableError("built without CUDA"); }

absl::StatusOr<std::unique_ptr<Lstm>> CreateCudnn(const LstmLevelConfig&, const LstmContext&) {
  return CudaAvailable();
}

absl::StatusOr<std::unique_ptr<Lstm>> CreateCudaFused(const LstmLevelConfig&, const LstmContext&) {
  return CudaAvailable();
}

absl::StatusOr<std::unique_ptr<Lstm>> CreateCudaPersistent(const LstmLevelConfig&, const LstmContext&) {
  return CudaAvailable();
}

}  // namespace earshot
