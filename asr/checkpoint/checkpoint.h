// A checkpoint: named tensors and text in one safetensors file that carries its own CRC-32C, so that any flipped bit
// anywhere in the file is found when it is loaded.
#ifndef EARSHOT_ASR_CHECKPOINT_CHECKPOINT_H_
#define EARSHOT_ASR_CHECKPOINT_CHECKPOINT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace earshot {

constexpr int64_t kCheckpointMaxBytes = int64_t{16} << 30;

struct CheckpointTensor {
  std::vector<int64_t> shape;
  std::vector<float> values;  // row-major, finite
};

struct Checkpoint {
  std::map<std::string, CheckpointTensor> tensors;
  std::map<std::string, std::string> metadata;  // without "crc32c", which the file has first
};

// Replaces the file `path` as a whole (base/file.h). `keep_old_as`, when not empty, is the name that the old file gets.
// The metadata key crc32c holds 8 lower-case hexadecimal digits: the CRC-32C of the whole file with zeros in their
// place. InvalidArgument for values that are not finite or do not fit their shape, or names that a file cannot hold.
absl::Status SaveCheckpoint(const std::string& path, const Checkpoint& checkpoint, const std::string& keep_old_as = "");

// Errors name the file: NotFound, or InvalidArgument "PATH: byte N: expected X, found Y" when it is damaged or is not a
// checkpoint.
absl::StatusOr<Checkpoint> LoadCheckpoint(const std::string& path);

// The same from a file's bytes.
absl::StatusOr<Checkpoint> ParseCheckpoint(absl::string_view file, absl::string_view name);

}  // namespace earshot

#endif  // EARSHOT_ASR_CHECKPOINT_CHECKPOINT_H_
