#include "data/npy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/byte_order.h"
#include "data/limits.h"

namespace earshot {
namespace {

constexpr absl::string_view kMagic("\x93NUMPY", 6);
constexpr int64_t kAlignment = 64;  // of the first element, in files that numpy writes

struct NpyHeader {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  std::vector<int64_t> shape;
  int64_t descr_at = 0, shape_at = 0;  // bytes in the file, for errors
};

// The header's text is a Python dictionary of three entries, in any order.
class DictionaryCursor {
 public:
  DictionaryCursor(absl::string_view text, absl::string_view name, int64_t position)
      : text_(text), name_(name), position_(position) {}

  absl::Status Parse(NpyHeader* header) {
    RETURN_IF_ERROR(Expect("{"));
    bool seen[3] = {};
    while (!Take("}")) {
      const size_t key_at = at_;
      ASSIGN_OR_RETURN(const absl::string_view key, String());
      const int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : -1;
      if (which < 0 || seen[which]) {
        at_ = key_at;
        return Error("'descr', 'fortran_order' and 'shape', once each", Quoted(key));
      }
      RETURN_IF_ERROR(Expect(":"));
      seen[which] = true;
      if (which == 0) RETURN_IF_ERROR(Descr(header));
      if (which == 1) RETURN_IF_ERROR(Bool(&header->fortran_order));
      if (which == 2) RETURN_IF_ERROR(Shape(header));
      if (Take(",")) continue;
      RETURN_IF_ERROR(Expect("}"));
      break;
    }
    if (!(seen[0] && seen[1] && seen[2])) return Error("'descr', 'fortran_order' and 'shape'", "fewer of them");
    SkipSpace();
    return at_ == text_.size() ? absl::OkStatus() : Error("nothing behind the dictionary", Quoted(text_.substr(at_)));
  }

 private:
  absl::Status Error(absl::string_view expected, absl::string_view found) const {
    return ByteError(name_, position_ + static_cast<int64_t>(at_), expected, found);
  }
  void SkipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool Take(absl::string_view token) {
    SkipSpace();
    if (!absl::StartsWith(text_.substr(at_), token)) return false;
    at_ += token.size();
    return true;
  }
  absl::Status Expect(absl::string_view token) {
    return Take(token) ? absl::OkStatus() : Error(Quoted(token), Quoted(text_.substr(at_, 1)));
  }
  absl::StatusOr<absl::string_view> String() {
    const absl::string_view quote = Take("'") ? "'" : Take("\"") ? "\"" : "";
    if (quote.empty()) return Error("a string", Quoted(text_.substr(at_, 1)));
    const size_t end = text_.find(quote, at_);
    if (end == text_.npos) return Error("the end of a string", "the end of the header");
    const absl::string_view value = text_.substr(at_, end - at_);
    at_ = end + 1;
    return value;
  }
  absl::Status Descr(NpyHeader* header) {
    SkipSpace();
    header->descr_at = position_ + static_cast<int64_t>(at_);
    if (Take("[")) return Error("one type of elements", "a structure of several");
    ASSIGN_OR_RETURN(const absl::string_view value, String());
    header->descr = std::string(value);
    return absl::OkStatus();
  }
  absl::Status Bool(bool* value) {
    *value = Take("True");
    return *value || Take("False") ? absl::OkStatus() : Error("True or False", Quoted(text_.substr(at_, 5)));
  }
  absl::Status Shape(NpyHeader* header) {
    SkipSpace();
    header->shape_at = position_ + static_cast<int64_t>(at_);
    RETURN_IF_ERROR(Expect("("));
    while (!Take(")")) {
      SkipSpace();
      const size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
      const absl::string_view digits = text_.substr(at_, end - at_);
      int64_t dimension;
      if (!absl::SimpleAtoi(digits, &dimension) || (digits.size() > 1 && digits[0] == '0')) {
        return Error("a dimension below 2^63", Quoted(text_.substr(at_, std::max<size_t>(end - at_, 1))));
      }
      at_ = end;
      Take("L");  // Python 2 wrote (3L, 4L)
      header->shape.push_back(dimension);
      if (Take(",")) continue;
      RETURN_IF_ERROR(Expect(")"));
      break;
    }
    return absl::OkStatus();
  }

  absl::string_view text_, name_;
  int64_t position_;
  size_t at_ = 0;
};

// The header's text and, in *at, where it starts.
absl::StatusOr<absl::string_view> HeaderText(absl::string_view content, absl::string_view name, int64_t* at) {
  if (!LooksLikeNpy(content)) {
    return ByteError(name, 0, "an npy file (\"\\x93NUMPY\")", Quoted(content.substr(0, kMagic.size())));
  }
  const int64_t magic = static_cast<int64_t>(kMagic.size()), size = static_cast<int64_t>(content.size());
  if (size < magic + 2) return ByteError(name, size, "the version of the format", "the end of the file");
  const int major = static_cast<uint8_t>(content[magic]), minor = static_cast<uint8_t>(content[magic + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    return ByteError(name, magic, "version 1.0, 2.0 or 3.0", absl::StrCat(major, ".", minor));
  }
  const int64_t length_bytes = major == 1 ? 2 : 4;
  if (size < magic + 2 + length_bytes) return ByteError(name, size, "the length of the header", "the end of the file");
  const int64_t length = static_cast<int64_t>(LittleEndian(content.substr(magic + 2, length_bytes)));
  if (length > kMaxNpyHeaderBytes) {
    return ByteError(name, magic + 2, absl::StrCat("a header of at most ", kMaxNpyHeaderBytes, " bytes"),
                     absl::StrCat(length));
  }
  *at = magic + 2 + length_bytes;
  if (size - *at < length) {
    return ByteError(name, *at, absl::StrCat("a header of ", length, " bytes"), absl::StrCat(size - *at));
  }
  return content.substr(*at, length);
}

// element i of the file -> out[i], or transposed.
template <typename T>
void Convert(absl::string_view data, bool big_endian, bool fortran_order, TensorView<float, 2> out) {
  const int64_t rows = out.dim(0), cols = out.dim(1);
  const char* from = data.data();
  for (int64_t k = 0; k < rows * cols; ++k, from += sizeof(T)) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof(T));
    if (big_endian) std::reverse(bytes, bytes + sizeof(T));
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    (fortran_order ? out(k % rows, k / rows) : out.data()[k]) = static_cast<float>(value);
  }
}

struct ElementType {
  absl::string_view name;
  int64_t bytes;
  void (*convert)(absl::string_view, bool, bool, TensorView<float, 2>);
};
constexpr ElementType kElementTypes[] = {
    {"f4", 4, Convert<float>},    {"f8", 8, Convert<double>},   {"i1", 1, Convert<int8_t>},
    {"i2", 2, Convert<int16_t>},  {"i4", 4, Convert<int32_t>},  {"i8", 8, Convert<int64_t>},
    {"u1", 1, Convert<uint8_t>},  {"u2", 2, Convert<uint16_t>}, {"u4", 4, Convert<uint32_t>},
    {"u8", 8, Convert<uint64_t>},
};

const ElementType* FindElementType(absl::string_view descr) {
  for (const ElementType& type : kElementTypes) {
    // "|" (no byte order) goes with single bytes only.
    if (descr.size() == 3 && descr.substr(1) == type.name &&
        (descr[0] == '<' || descr[0] == '>' || (descr[0] == '|' && type.bytes == 1))) {
      return &type;
    }
  }
  return nullptr;
}

}  // namespace

bool LooksLikeNpy(absl::string_view content) { return absl::StartsWith(content, kMagic); }

absl::StatusOr<Tensor<float, 2>> DecodeNpy(absl::string_view content, absl::string_view name) {
  int64_t at = 0;
  ASSIGN_OR_RETURN(const absl::string_view text, HeaderText(content, name, &at));
  NpyHeader header;
  RETURN_IF_ERROR(DictionaryCursor(text, name, at).Parse(&header));
  const ElementType* type = FindElementType(header.descr);
  if (type == nullptr) {
    return ByteError(name, header.descr_at, "floats (f4, f8) or integers (i1 to i8, u1 to u8)", Quoted(header.descr));
  }
  if (header.shape.empty() || header.shape.size() > 2) {
    return ByteError(name, header.shape_at, "one or two dimensions", absl::StrCat(header.shape.size()));
  }
  const int64_t rows = header.shape.size() == 2 ? header.shape[0] : 1, cols = header.shape.back();
  if (header.shape.size() == 2 && rows > 0 && cols == 0) {  // else two billion frames in no bytes
    return ByteError(name, header.shape_at, "a matrix with columns, or without rows", absl::StrCat(rows, " x 0"));
  }
  const absl::string_view data = content.substr(at + text.size());
  const int64_t elements = static_cast<int64_t>(data.size()) / type->bytes;
  const bool bad_dimensions = rows > kMaxMatrixDimension || cols > kMaxMatrixDimension;
  if (bad_dimensions || rows * cols != elements || static_cast<int64_t>(data.size()) % type->bytes != 0) {
    return ByteError(name, at + static_cast<int64_t>(text.size()),
                     absl::StrCat(rows, " x ", cols, " elements of ", type->bytes, " bytes"),
                     absl::StrCat(data.size(), " bytes"));
  }
  if (elements > kMaxMatrixElements) {
    return ByteError(name, header.shape_at, absl::StrCat("a matrix of at most ", kMaxMatrixElements, " elements"),
                     absl::StrCat(elements));
  }
  Tensor<float, 2> matrix({rows, cols});
  type->convert(data, header.descr[0] == '>', header.fortran_order, matrix.view());
  return matrix;
}

absl::StatusOr<Tensor<float, 2>> ReadNpy(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string content, ReadFile(path, kMaxMatrixBytes));
  return DecodeNpy(content, path);
}

std::string EncodeNpy(TensorView<const float, 2> matrix) {
  std::string header =
      absl::StrCat("{'descr': '<f4', 'fortran_order': False, 'shape': (", matrix.dim(0), ", ", matrix.dim(1), "), }");
  // numpy leaves room for a first dimension of 20 digits, so that a file can grow in place; then it aligns.
  header.append(21 - absl::StrCat(matrix.dim(0)).size(), ' ');
  const int64_t before = static_cast<int64_t>(kMagic.size()) + 4;
  const int64_t unaligned = before + static_cast<int64_t>(header.size()) + 1;
  header.append((kAlignment - unaligned % kAlignment) % kAlignment, ' ');
  header.push_back('\n');
  std::string content(kMagic);
  content.append("\1\0", 2);
  content.push_back(static_cast<char>(header.size() & 0xff));
  content.push_back(static_cast<char>(header.size() >> 8));
  content += header;
  content.append(reinterpret_cast<const char*>(matrix.data()), matrix.size() * sizeof(float));
  return content;
}

}  // namespace earshot
