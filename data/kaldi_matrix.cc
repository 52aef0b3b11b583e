#include "data/kaldi_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/charconv.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/limits.h"

namespace earshot {
namespace {

template <typename T>
T Load(const char* bytes) {  // the formats and the machine are little-endian
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

struct Token {
  absl::string_view text;
  KaldiFormat format;
  bool is_vector;
};
constexpr Token kTokens[] = {
    {"FM ", KaldiFormat::kFloat, false}, {"DM ", KaldiFormat::kDouble, false}, {"FV ", KaldiFormat::kFloat, true},
    {"DV ", KaldiFormat::kDouble, true}, {"CM ", KaldiFormat::kCm, false},     {"CM2 ", KaldiFormat::kCm2, false},
    {"CM3 ", KaldiFormat::kCm3, false},
};

bool IsCompressed(KaldiFormat format) { return format != KaldiFormat::kFloat && format != KaldiFormat::kDouble; }

int64_t ElementBytes(KaldiFormat format) {
  switch (format) {
    case KaldiFormat::kFloat:
      return 4;
    case KaldiFormat::kDouble:
      return 8;
    case KaldiFormat::kCm2:
      return 2;
    default:
      return 1;
  }
}

// Reads the fields of a header one after the other.
class HeaderCursor {
 public:
  HeaderCursor(absl::string_view content, absl::string_view name, int64_t position)
      : content_(content), name_(name), position_(position) {}

  int64_t at() const { return at_; }
  absl::Status Error(absl::string_view expected, absl::string_view found) const {
    return ByteError(name_, position_ + at_, expected, found);
  }
  bool Skip(absl::string_view text) {
    if (!absl::StartsWith(content_.substr(at_), text)) return false;
    at_ += static_cast<int64_t>(text.size());
    return true;
  }
  absl::string_view rest() const { return content_.substr(at_); }

  template <typename T>
  absl::Status Read(absl::string_view what, T* value) {
    if (rest().size() < sizeof(T)) return Error(what, "the end of the file");
    *value = Load<T>(rest().data());
    at_ += sizeof(T);
    return absl::OkStatus();
  }
  // A number of rows or columns. `sized`: behind the byte 4 that gives its size.
  absl::Status ReadCount(absl::string_view what, bool sized, int64_t* count) {
    if (sized && !Skip("\4")) return Error(absl::StrCat("the byte 4 before ", what), Quoted(rest().substr(0, 1)));
    int32_t value = 0;
    RETURN_IF_ERROR(Read(what, &value));
    at_ -= value < 0 ? 4 : 0;
    if (value < 0) return Error(what, absl::StrCat(value));
    *count = value;
    return absl::OkStatus();
  }

 private:
  absl::string_view content_, name_;
  int64_t position_;
  int64_t at_ = 0;
};

absl::Status ReadToken(HeaderCursor* cursor, KaldiHeader* header) {
  if (!cursor->Skip(absl::string_view("\0B", 2))) {
    return cursor->Error("an object of Kaldi (\"\\0B\" or \"[\")", Quoted(cursor->rest().substr(0, 2)));
  }
  if (absl::StartsWith(cursor->rest(), "\4")) return cursor->Error("a matrix or vector of floats", "one of integers");
  for (const Token& token : kTokens) {
    if (!cursor->Skip(token.text)) continue;
    header->format = token.format;
    header->is_vector = token.is_vector;
    return absl::OkStatus();
  }
  return cursor->Error("FM, DM, FV, DV, CM, CM2 or CM3", Quoted(cursor->rest().substr(0, 4)));
}

absl::Status ReadSizes(HeaderCursor* cursor, KaldiHeader* header) {
  const bool compressed = IsCompressed(header->format);
  if (compressed) {
    RETURN_IF_ERROR(cursor->Read("the smallest element", &header->scale.min_value));
    RETURN_IF_ERROR(cursor->Read("the range of the elements", &header->scale.range));
    if (!std::isfinite(header->scale.min_value) || !std::isfinite(header->scale.range)) {
      return cursor->Error("a finite minimum and range",
                           absl::StrCat(header->scale.min_value, " and ", header->scale.range));
    }
  }
  header->rows = 1;
  if (!header->is_vector) RETURN_IF_ERROR(cursor->ReadCount("the number of rows", !compressed, &header->rows));
  RETURN_IF_ERROR(cursor->ReadCount("the number of columns", !compressed, &header->cols));
  if (!header->is_vector && (header->rows == 0) != (header->cols == 0)) {
    return cursor->Error("a matrix with elements, or 0 x 0", absl::StrCat(header->rows, " x ", header->cols));
  }
  return absl::OkStatus();
}

// Walks over the numbers between the brackets of a text matrix.
class TextCursor {
 public:
  explicit TextCursor(absl::string_view text) : text_(text) {}

  // The next number; empty at the end. *starts_row: it is the first of its row.
  absl::string_view Next(bool* starts_row) {
    *starts_row = begin_ == end_;  // before the first number
    for (begin_ = end_; begin_ < text_.size() && IsSeparator(text_[begin_]); ++begin_) {
      *starts_row |= text_[begin_] == '\n' || text_[begin_] == ';';
    }
    for (end_ = begin_; end_ < text_.size() && !IsSeparator(text_[end_]); ++end_) {
    }
    return text_.substr(begin_, end_ - begin_);
  }
  int64_t position() const { return static_cast<int64_t>(begin_); }  // of that number

 private:
  static bool IsSeparator(char c) { return absl::ascii_isspace(static_cast<unsigned char>(c)) || c == ';'; }

  absl::string_view text_;
  size_t begin_ = 0, end_ = 0;
};

bool ParseNumber(absl::string_view text, float* value) {
  if (text[0] == '+' && !absl::StartsWith(text, "+-")) text.remove_prefix(1);
  const auto result = absl::from_chars(text.data(), text.data() + text.size(), *value);
  if (result.ptr != text.data() + text.size() || text.empty()) return false;
  // Too small a number is 0, as for Kaldi; too large a one is none.
  return result.ec == std::errc() || (result.ec == std::errc::result_out_of_range && std::abs(*value) < 1);
}

}  // namespace

int64_t FindKaldiTextEnd(absl::string_view text, int64_t from) {
  static const std::array<bool, 256> inside = [] {
    std::array<bool, 256> table = {};
    for (unsigned char c : absl::string_view("0123456789+-.eEinfatyINFATY; \t\r\n\v\f")) table[c] = true;
    return table;
  }();
  while (from < static_cast<int64_t>(text.size()) && inside[static_cast<uint8_t>(text[from])]) ++from;
  return from;
}

absl::StatusOr<KaldiHeader> ParseKaldiHeader(absl::string_view content, absl::string_view name, int64_t position,
                                             int64_t available) {
  HeaderCursor cursor(content, name, position);
  KaldiHeader header;
  RETURN_IF_ERROR(ReadToken(&cursor, &header));
  RETURN_IF_ERROR(ReadSizes(&cursor, &header));
  header.bytes = cursor.at();
  const int64_t column_bytes = header.format == KaldiFormat::kCm ? kKaldiColumnHeaderBytes : 0;
  // Both counts are below 2^31, so that no product overflows.
  const int64_t elements = header.rows * header.cols;
  const int64_t left = available - header.bytes - column_bytes * header.cols;
  if (left < 0 || elements > left / ElementBytes(header.format)) {
    return cursor.Error(absl::StrCat("the elements of a matrix of ", header.rows, " x ", header.cols),
                        absl::StrCat(available - header.bytes, " more bytes"));
  }
  if (elements > kMaxMatrixElements) {
    return cursor.Error(absl::StrCat("a matrix of at most ", kMaxMatrixElements, " elements"), absl::StrCat(elements));
  }
  header.data_bytes = column_bytes * header.cols + elements * ElementBytes(header.format);
  return header;
}

int64_t KaldiRowBytes(const KaldiHeader& header) { return header.cols * ElementBytes(header.format); }

void DecodeKaldiRows(const KaldiHeader& header, absl::string_view rows, int64_t first_col, TensorView<float, 2> out) {
  CHECK(header.format != KaldiFormat::kCm);
  CHECK_EQ(static_cast<int64_t>(rows.size()), out.dim(0) * KaldiRowBytes(header));
  CHECK_LE(first_col + out.dim(1), header.cols);
  const int64_t size = ElementBytes(header.format);
  for (int64_t i = 0; i < out.dim(0); ++i) {
    const char* bytes = rows.data() + (i * header.cols + first_col) * size;
    const absl::Span<float> row = out.row(i);
    if (header.format == KaldiFormat::kFloat) {
      std::memcpy(row.data(), bytes, row.size() * sizeof(float));
    } else if (header.format == KaldiFormat::kDouble) {
      for (size_t j = 0; j < row.size(); ++j) row[j] = static_cast<float>(Load<double>(bytes + 8 * j));
    } else {
      DecompressKaldiRow(header.scale, static_cast<int>(size), bytes, row);
    }
  }
}

absl::StatusOr<Tensor<float, 2>> ParseKaldiText(absl::string_view text, absl::string_view name, int64_t position) {
  // Numbers are counted first: the matrix is allocated once.
  int64_t rows = 0, cols = 0, in_row = 0;
  bool starts_row = false;
  const auto check_row = [&](const TextCursor& cursor) {
    if (rows == 1) cols = in_row;
    if (in_row == cols) return absl::OkStatus();
    return ByteError(name, position + cursor.position(), absl::StrCat(cols, " numbers in row ", rows, ", as in row 1"),
                     absl::StrCat(in_row));
  };
  TextCursor count(text);
  while (!count.Next(&starts_row).empty()) {
    if (starts_row) {
      if (rows > 0) RETURN_IF_ERROR(check_row(count));
      ++rows;
      in_row = 0;
    }
    ++in_row;
  }
  if (rows > 0) RETURN_IF_ERROR(check_row(count));
  if (rows * cols > kMaxMatrixElements) {
    return ByteError(name, position, absl::StrCat("a matrix of at most ", kMaxMatrixElements, " elements"),
                     absl::StrCat(rows * cols));
  }

  Tensor<float, 2> matrix({rows, cols});
  TextCursor cursor(text);
  for (float& value : matrix.span()) {
    const absl::string_view number = cursor.Next(&starts_row);
    if (!ParseNumber(number, &value)) {
      return ByteError(name, position + cursor.position(), "a number within the range of float", Quoted(number));
    }
  }
  return matrix;
}

}  // namespace earshot
