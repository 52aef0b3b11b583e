// The safetensors format: a header length (u64, little-endian), a JSON header, the tensors' data, nothing else.
//   {"__metadata__": {"key": "value", ...},
//    "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
// Offsets count from the end of the header; together the tensors cover the rest of the file without holes or overlaps.
#ifndef EARSHOT_ASR_CHECKPOINT_SAFETENSORS_H_
#define EARSHOT_ASR_CHECKPOINT_SAFETENSORS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace earshot {

// What a file may ask for. They keep the memory of reading below four times the size of the file.
constexpr int64_t kSafetensorsMaxHeaderBytes = 16 << 20;
constexpr int64_t kSafetensorsMaxTensors = 16384;
constexpr int64_t kSafetensorsMaxMetadata = 4096;  // pairs
constexpr int64_t kSafetensorsMaxNameBytes = 255;  // of a tensor's name or a metadata key
constexpr int64_t kSafetensorsMaxRank = 8;
constexpr int64_t kSafetensorsMaxDimension = int64_t{1} << 31;

enum class SafetensorsType { kF64, kF32, kI64, kI32, kU8 };

struct SafetensorsTensor {
  std::string name;
  SafetensorsType type = SafetensorsType::kF32;
  std::vector<int64_t> shape;  // none: a single value
  absl::string_view data;      // little-endian, row-major; not aligned: copy with memcpy
};

struct Safetensors {
  std::vector<std::pair<std::string, std::string>> metadata;  // in the file's order
  std::vector<SafetensorsTensor> tensors;                     // in the order of their data
};

int64_t SafetensorsTypeSize(SafetensorsType type);            // bytes of one value
absl::string_view SafetensorsTypeName(SafetensorsType type);  // "F32"

// Reads a whole file of the name `name`. The tensors' data are views into `file`. Values are not looked at.
// Errors are InvalidArgument: "NAME: byte N: expected X, found Y".
absl::StatusOr<Safetensors> ReadSafetensors(absl::string_view file, absl::string_view name);

// The length and the header of a file: followed by each tensor's data in the order given, they are the file. Padded
// with spaces so that the data begin at a multiple of 8 bytes. InvalidArgument when the file would not be readable:
// names that are double, empty or too long, text that is not UTF-8, data that do not fit the shape.
absl::StatusOr<std::string> SafetensorsHeader(const Safetensors& content);

}  // namespace earshot

#endif  // EARSHOT_ASR_CHECKPOINT_SAFETENSORS_H_
