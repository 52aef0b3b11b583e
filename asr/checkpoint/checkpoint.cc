#include "asr/checkpoint/checkpoint.h"

#include <cmath>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "asr/checkpoint/safetensors.h"
#include "base/crc32c.h"
#include "base/file.h"
#include "base/read_error.h"
#include "base/status_macros.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the files are little-endian");

namespace earshot {
namespace {

// The checksum is the first thing in the header, so its digits have a fixed place.
constexpr absl::string_view kCrcKey = "crc32c", kCrcIntro = "{\"__metadata__\":{\"crc32c\":\"", kNoCrc = "00000000";
constexpr size_t kCrcAt = 8 + kCrcIntro.size();

std::string CrcDigits(uint32_t crc) { return absl::StrCat(absl::Hex(crc, absl::kZeroPad8)); }

absl::Status CheckFinite(const std::vector<float>& values, absl::string_view context) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(context, ": expected finite values, found ", values[i], " at index ", i));
  }
  return absl::OkStatus();
}

absl::Status CheckCrc(absl::string_view file, absl::string_view name) {
  if (file.size() < kCrcAt + kNoCrc.size() || !absl::StartsWith(file.substr(8), kCrcIntro)) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": byte 8: expected ", kCrcIntro, ", found something else: not a checkpoint or damaged"));
  }
  const absl::string_view digits = file.substr(kCrcAt, kNoCrc.size());
  const uint32_t crc = Crc32c(file.substr(kCrcAt + kNoCrc.size()), Crc32c(kNoCrc, Crc32c(file.substr(0, kCrcAt))));
  if (digits == CrcDigits(crc)) return absl::OkStatus();
  std::string found;  // never a control character into somebody's terminal
  for (unsigned char c : digits) found.push_back(c >= 0x20 && c < 0x7F ? static_cast<char>(c) : '?');
  return absl::InvalidArgumentError(absl::StrCat(name, ": byte ", kCrcAt, ": expected the CRC-32C ", CrcDigits(crc),
                                                 ", found ", found, ": the file is damaged"));
}

}  // namespace

absl::Status SaveCheckpoint(const std::string& path, const Checkpoint& checkpoint, const std::string& keep_old_as) {
  Safetensors content;
  content.metadata.emplace_back(kCrcKey, kNoCrc);
  content.metadata.insert(content.metadata.end(), checkpoint.metadata.begin(), checkpoint.metadata.end());
  for (const auto& [name, tensor] : checkpoint.tensors) {
    RETURN_IF_ERROR(CheckFinite(tensor.values, absl::StrCat(path, ": tensor \"", name, "\"")));
    const absl::string_view data(reinterpret_cast<const char*>(tensor.values.data()),
                                 tensor.values.size() * sizeof(float));
    content.tensors.push_back({name, SafetensorsType::kF32, tensor.shape, data});
  }
  absl::StatusOr<std::string> header = SafetensorsHeader(content);
  if (!header.ok()) return Annotate(header.status(), path);
  std::vector<absl::string_view> parts = {*header};
  uint32_t crc = Crc32c(*header);
  for (const SafetensorsTensor& tensor : content.tensors) {
    crc = Crc32c(tensor.data, crc);
    parts.push_back(tensor.data);
  }
  header->replace(kCrcAt, kNoCrc.size(), CrcDigits(crc));
  return WriteFileAtomically(path, parts, keep_old_as);
}

absl::StatusOr<Checkpoint> ParseCheckpoint(absl::string_view file, absl::string_view name) {
  RETURN_IF_ERROR(CheckCrc(file, name));
  ASSIGN_OR_RETURN(const Safetensors content, ReadSafetensors(file, name));
  Checkpoint checkpoint;
  checkpoint.metadata.insert(content.metadata.begin() + 1, content.metadata.end());
  for (const SafetensorsTensor& tensor : content.tensors) {
    const std::string context =
        absl::StrCat(name, ": byte ", tensor.data.data() - file.data(), ": tensor ", Quoted(tensor.name));
    if (tensor.type != SafetensorsType::kF32) {
      return absl::InvalidArgumentError(
          absl::StrCat(context, ": expected dtype F32, found ", SafetensorsTypeName(tensor.type)));
    }
    CheckpointTensor& out = checkpoint.tensors[tensor.name];
    out.shape = tensor.shape;
    out.values.resize(tensor.data.size() / sizeof(float));
    if (!out.values.empty()) std::memcpy(out.values.data(), tensor.data.data(), tensor.data.size());
    RETURN_IF_ERROR(CheckFinite(out.values, context));
  }
  return checkpoint;
}

absl::StatusOr<Checkpoint> LoadCheckpoint(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string file, ReadFile(path, kCheckpointMaxBytes));
  return ParseCheckpoint(file, path);
}

}  // namespace earshot
