#include "data/kaldi_compression.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "base/check.h"

namespace earshot {
namespace {

// Percentiles of one column, as CM stores and as it uses them.
struct Percentiles {
  uint16_t stored[4];
  float value[4];
};

uint16_t LoadUint16(const char* bytes) {
  return static_cast<uint16_t>(static_cast<uint8_t>(bytes[0]) | static_cast<uint8_t>(bytes[1]) << 8);
}

void AppendUint16(uint16_t value, std::string* bytes) {
  bytes->push_back(static_cast<char>(value & 0xff));
  bytes->push_back(static_cast<char>(value >> 8));
}

// `value` as an integer from 0 to `largest`. Adding 0.499 rounds, and keeps 1 * largest within the integers.
int Quantize(const KaldiScale& scale, float value, int largest) {
  const float position = std::min(1.0f, std::max(0.0f, (value - scale.min_value) / scale.range));
  return static_cast<int>(position * static_cast<float>(largest) + 0.499);
}

float Percentile(const KaldiScale& scale, uint16_t stored) {
  return scale.min_value + scale.range * 1.52590218966964e-05F * stored;
}

// The byte of `position` in [0, 1] between two percentiles whose bytes are `first` and `last`. Where the percentiles
// fall together position is not finite: that gives `first`, as Kaldi's conversion to an integer does on x86.
int ByteBetween(float position, int first, int last) {
  const double offset = position * static_cast<float>(last - first) + 0.5;
  if (!(std::abs(offset) < 1e9)) return first;
  return std::min(last, std::max(first, first + static_cast<int>(offset)));
}

int ToByte(const float* p, float value) {
  if (value < p[1]) return ByteBetween((value - p[0]) / (p[1] - p[0]), 0, 64);
  if (value < p[2]) return ByteBetween((value - p[1]) / (p[2] - p[1]), 64, 192);
  return ByteBetween((value - p[2]) / (p[3] - p[2]), 192, 255);
}

float FromByte(const float* p, int byte) {
  if (byte <= 64) return static_cast<float>(p[0] + (p[1] - p[0]) * byte * (1 / 64.0));
  if (byte <= 192) return static_cast<float>(p[1] + (p[2] - p[1]) * (byte - 64) * (1 / 128.0));
  return static_cast<float>(p[2] + (p[3] - p[2]) * (byte - 192) * (1 / 63.0));
}

// `column` is reordered. The stored percentiles always rise: no two are the same.
Percentiles ChoosePercentiles(const KaldiScale& scale, absl::Span<float> column) {
  const int64_t n = static_cast<int64_t>(column.size());
  int64_t rank[4] = {0, 1, 2, 3};
  if (n >= 5) {
    rank[1] = n / 4;
    rank[2] = 3 * (n / 4);
    rank[3] = n - 1;
  }
  Percentiles p;
  auto begin = column.begin();
  for (int i = 0; i < 4; ++i) {
    int stored = i == 0 ? 0 : p.stored[i - 1] + 1;
    if (rank[i] < n) {  // a column of fewer than 4 rows has no more: one step above the last
      std::nth_element(begin, column.begin() + rank[i], column.end());
      begin = column.begin() + rank[i];
      stored = std::min(std::max(Quantize(scale, *begin, 65535), stored), 65532 + i);
    }
    p.stored[i] = static_cast<uint16_t>(stored);
    p.value[i] = Percentile(scale, p.stored[i]);
  }
  return p;
}

}  // namespace

KaldiScale ChooseKaldiScale(TensorView<const float, 2> matrix, KaldiCompression method) {
  CHECK(!matrix.empty());
  KaldiScale scale;
  switch (method) {
    case KaldiCompression::kTwoByteSignedInteger:
      return {-32768, 65535};
    case KaldiCompression::kOneByteUnsignedInteger:
      return {0, 255};
    case KaldiCompression::kOneByteZeroOne:
      return {0, 1};
    default:
      break;
  }
  const absl::Span<const float> elements = matrix.span();
  scale.min_value = *std::min_element(elements.begin(), elements.end());
  float largest = *std::max_element(elements.begin(), elements.end());
  if (largest == scale.min_value) largest = static_cast<float>(scale.min_value + (1.0 + std::abs(scale.min_value)));
  scale.range = largest - scale.min_value;
  return scale;
}

void DecompressKaldiColumn(const KaldiScale& scale, absl::string_view column_header, const char* bytes, int64_t column,
                           TensorView<float, 2> out) {
  CHECK_EQ(column_header.size(), size_t{kKaldiColumnHeaderBytes});
  float p[4];
  for (int i = 0; i < 4; ++i) p[i] = Percentile(scale, LoadUint16(column_header.data() + 2 * i));
  for (int64_t row = 0; row < out.dim(0); ++row) out(row, column) = FromByte(p, static_cast<uint8_t>(bytes[row]));
}

void CompressKaldiColumn(const KaldiScale& scale, TensorView<const float, 2> matrix, int64_t column,
                         absl::Span<float> scratch, std::string* headers, std::string* bytes) {
  CHECK_EQ(static_cast<int64_t>(scratch.size()), matrix.dim(0));
  for (int64_t row = 0; row < matrix.dim(0); ++row) scratch[row] = matrix(row, column);
  const Percentiles p = ChoosePercentiles(scale, scratch);
  for (uint16_t stored : p.stored) AppendUint16(stored, headers);
  for (int64_t row = 0; row < matrix.dim(0); ++row) {
    bytes->push_back(static_cast<char>(ToByte(p.value, matrix(row, column))));
  }
}

void DecompressKaldiRow(const KaldiScale& scale, int bytes_an_element, const char* bytes, absl::Span<float> out) {
  if (bytes_an_element == 2) {
    const float step = static_cast<float>(scale.range * (1.0 / 65535.0));
    for (size_t i = 0; i < out.size(); ++i) out[i] = scale.min_value + LoadUint16(bytes + 2 * i) * step;
  } else {
    const float step = static_cast<float>(scale.range * (1.0 / 255.0));
    for (size_t i = 0; i < out.size(); ++i) out[i] = scale.min_value + static_cast<uint8_t>(bytes[i]) * step;
  }
}

void CompressKaldiRow(const KaldiScale& scale, int bytes_an_element, absl::Span<const float> row, std::string* bytes) {
  for (float value : row) {
    if (bytes_an_element == 2) {
      AppendUint16(static_cast<uint16_t>(Quantize(scale, value, 65535)), bytes);
    } else {
      bytes->push_back(static_cast<char>(Quantize(scale, value, 255)));
    }
  }
}

}  // namespace earshot
