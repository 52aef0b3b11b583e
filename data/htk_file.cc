#include "data/htk_file.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/limits.h"

namespace earshot {
namespace {

constexpr int64_t kHeaderBytes = 12;
constexpr int64_t kChecksumBytes = 2;
constexpr int64_t kCompressionSamples = 4;  // the scales of _C, counted as frames by the header
constexpr float kIrefcScale = 32767;

enum BaseKind : uint16_t { kWaveform = 0, kIrefc = 5, kDiscrete = 10, kLastBaseKind = 12 };
constexpr absl::string_view kBaseNames[] = {"WAVEFORM", "LPC",     "LPREFC", "LPCEPSTRA", "LPDELCEP", "IREFC", "MFCC",
                                            "FBANK",    "MELSPEC", "USER",   "DISCRETE",  "PLP",      "ANON"};
constexpr absl::string_view kQualifierNames[] = {"_E", "_N", "_D", "_A", "_C",
                                                 "_Z", "_K", "_0", "_V", "_T"};  // 0x40 on

uint16_t LoadUint16(const char* bytes) {
  return static_cast<uint16_t>(static_cast<uint8_t>(bytes[0]) << 8 | static_cast<uint8_t>(bytes[1]));
}

uint32_t LoadUint32(const char* bytes) {
  return static_cast<uint32_t>(LoadUint16(bytes)) << 16 | LoadUint16(bytes + 2);
}

float LoadFloat(const char* bytes) {
  const uint32_t bits = LoadUint32(bytes);
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

void Append(uint32_t value, int bytes, std::string* out) {
  for (int i = bytes - 1; i >= 0; --i) out->push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

struct Header {
  int64_t samples = 0;       // as the header counts them
  int64_t sample_bytes = 0;  // of one
  bool shorts = false;       // 16-bit integers in place of floats
};

// What can be wrong about the kind itself; null: nothing.
const char* WhyNotFeatures(uint16_t kind) {
  const uint16_t base = kind & kHtkBaseKinds;
  if (base == kWaveform) return "is audio";
  if (base == kDiscrete || (kind & kHtkVectorQuantized) != 0) return "holds indices";
  if (base > kLastBaseKind) return "is unknown";
  return nullptr;
}

// `content` is the beginning of a file of `size` bytes.
absl::StatusOr<Header> ParseHeader(absl::string_view content, int64_t size, absl::string_view name,
                                   HtkFeatures* result) {
  if (size < kHeaderBytes) return ByteError(name, size, "an HTK header of 12 bytes", "the end of the file");
  Header header;
  header.samples = static_cast<int32_t>(LoadUint32(content.data()));
  result->frame_shift = static_cast<int32_t>(LoadUint32(content.data() + 4));
  header.sample_bytes = static_cast<int16_t>(LoadUint16(content.data() + 8));
  // All tests of qualifiers are on the file's own word: with _K taken off it, the checksum would be read as features.
  result->kind = LoadUint16(content.data() + 10);
  if (const char* why = WhyNotFeatures(result->kind)) {
    return ByteError(name, 10, "a kind of features", absl::StrCat(HtkKindName(result->kind), ", which ", why));
  }
  header.shorts = (result->kind & kHtkCompressed) != 0 || (result->kind & kHtkBaseKinds) == kIrefc;
  const int element_bytes = header.shorts ? 2 : 4;
  if (header.samples < 0) return ByteError(name, 0, "a number of frames", absl::StrCat(header.samples));
  if (header.sample_bytes <= 0 || header.sample_bytes % element_bytes != 0) {
    return ByteError(name, 8, absl::StrCat("a frame of a multiple of ", element_bytes, " bytes"),
                     absl::StrCat(header.sample_bytes));
  }
  const int64_t checksum = (result->kind & kHtkChecksum) != 0 ? kChecksumBytes : 0;
  const int64_t expected = header.samples * header.sample_bytes + checksum;
  if (size - kHeaderBytes != expected) {
    return ByteError(name, kHeaderBytes,
                     absl::StrCat(header.samples, " frames of ", header.sample_bytes, " bytes",
                                  checksum > 0 ? " and a checksum" : ""),
                     absl::StrCat(size - kHeaderBytes, " bytes"));
  }
  return header;
}

// 16-bit integers -> features: (integer + offset) / scale, one of each a column in front of a compressed file's frames.
absl::Status DecodeShorts(absl::string_view data, absl::string_view name, int64_t samples, HtkFeatures* result) {
  const int64_t cols = result->features.dim(1);
  TensorView<float, 2> out = result->features.view();
  const bool compressed = (result->kind & kHtkCompressed) != 0;
  const char* scales = data.data();
  const char* offsets = scales + 4 * cols;
  const char* frames = compressed ? offsets + 4 * cols : scales;
  for (int64_t j = 0; j < cols; ++j) {
    const float scale = compressed ? LoadFloat(scales + 4 * j) : kIrefcScale;
    const float offset = compressed ? LoadFloat(offsets + 4 * j) : 0;
    if (!std::isfinite(scale) || scale == 0 || !std::isfinite(offset)) {
      return ByteError(name, kHeaderBytes + 4 * j, "a finite scale other than 0 and a finite offset",
                       absl::StrCat(scale, " and ", offset));
    }
    for (int64_t i = 0; i < samples; ++i) {
      out(i, j) = (static_cast<int16_t>(LoadUint16(frames + 2 * (i * cols + j))) + offset) / scale;
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::string HtkKindName(uint16_t kind) {
  const uint16_t base = kind & kHtkBaseKinds;
  std::string name = base <= kLastBaseKind ? std::string(kBaseNames[base]) : absl::StrCat("kind ", base);
  for (int i = 0; i < 10; ++i) {
    if ((kind >> (6 + i) & 1) != 0) absl::StrAppend(&name, kQualifierNames[i]);
  }
  return name;
}

absl::StatusOr<HtkFeatures> DecodeHtk(absl::string_view content, absl::string_view name) {
  HtkFeatures result;
  ASSIGN_OR_RETURN(const Header header, ParseHeader(content, static_cast<int64_t>(content.size()), name, &result));
  int64_t frames = header.samples;
  if ((result.kind & kHtkCompressed) != 0) {
    frames -= kCompressionSamples;
    if (frames < 0) return ByteError(name, 0, "at least the 4 frames of _C's scales", absl::StrCat(header.samples));
  }
  const int64_t dimensions = header.sample_bytes / (header.shorts ? 2 : 4);
  if (frames * dimensions > kMaxMatrixElements) {
    return ByteError(name, 0, absl::StrCat("a matrix of at most ", kMaxMatrixElements, " elements"),
                     absl::StrCat(frames * dimensions));
  }
  const absl::string_view data = content.substr(kHeaderBytes);
  result.features.Resize({frames, dimensions});
  if (header.shorts) {
    RETURN_IF_ERROR(DecodeShorts(data, name, frames, &result));
  } else {
    const char* from = data.data();
    for (float& value : result.features.span()) {
      value = LoadFloat(from);
      from += 4;
    }
  }
  return result;
}

bool LooksLikeHtk(absl::string_view content, int64_t file_bytes) {
  HtkFeatures result;
  const absl::StatusOr<Header> header = ParseHeader(content, file_bytes, "", &result);
  return header.ok() && header->samples > 0 && result.frame_shift > 0;
}

absl::StatusOr<HtkFeatures> ReadHtk(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string content, ReadFile(path, kMaxMatrixBytes));
  return DecodeHtk(content, path);
}

absl::StatusOr<std::string> EncodeHtk(TensorView<const float, 2> features, uint16_t kind, int32_t frame_shift) {
  const uint16_t base = kind & kHtkBaseKinds;
  if (WhyNotFeatures(kind) != nullptr || base == kIrefc || (kind & (kHtkCompressed | kHtkChecksum)) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("HTK file: expected a kind of floats without _C and _K, found ", HtkKindName(kind)));
  }
  constexpr int64_t kMaxCols = std::numeric_limits<int16_t>::max() / 4;
  if (features.dim(1) < 1 || features.dim(1) > kMaxCols || features.dim(0) > std::numeric_limits<int32_t>::max()) {
    return absl::InvalidArgumentError(absl::StrCat("HTK file: expected features of 1 to ", kMaxCols,
                                                   " dimensions, found ", features.dim(0), " x ", features.dim(1)));
  }
  std::string content;
  content.reserve(kHeaderBytes + features.size() * 4);
  Append(static_cast<uint32_t>(features.dim(0)), 4, &content);
  Append(static_cast<uint32_t>(frame_shift), 4, &content);
  Append(static_cast<uint32_t>(4 * features.dim(1)), 2, &content);
  Append(kind, 2, &content);
  for (float value : features.span()) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    Append(bits, 4, &content);
  }
  return content;
}

}  // namespace earshot
