#include "data/kaldi_archive.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/kaldi_matrix.h"
#include "data/kaldi_text.h"
#include "data/limits.h"

namespace earshot {
namespace {

constexpr int64_t kArchiveChunk = 1 << 18;  // bytes read at a time along an archive
constexpr int64_t kObjectChunk = 4096;      // of a single object, before its size is known

// A location with a range, and its text for errors; null: the whole matrix.
struct Range {
  const KaldiLocation* location = nullptr;
  absl::string_view text;

  absl::StatusOr<KaldiCrop> Crop(int64_t rows, int64_t cols, bool is_vector) const {
    if (location == nullptr || !location->has_range) return KaldiCrop{0, rows, 0, cols};
    return CropFor(*location, text, rows, cols, is_vector);
  }
};

// The window stands at the elements, and is left somewhere among them.
absl::Status ReadRows(const KaldiHeader& header, const KaldiCrop& crop, ByteWindow* window, TensorView<float, 2> out) {
  const int64_t row_bytes = KaldiRowBytes(header);
  window->Skip(crop.first_row * row_bytes);
  if (header.format == KaldiFormat::kFloat && crop.cols == header.cols) {
    return window->Read(crop.rows * row_bytes, reinterpret_cast<char*>(out.data()));
  }
  // Some rows at a time: the bytes never lie in memory as a whole.
  const int64_t block = std::max(int64_t{1}, kArchiveChunk / std::max(row_bytes, int64_t{1}));
  for (int64_t row = 0; row < crop.rows; row += block) {
    const int64_t rows = std::min(block, crop.rows - row);
    ASSIGN_OR_RETURN(const absl::string_view bytes, window->Peek(rows * row_bytes));
    DecodeKaldiRows(header, bytes.substr(0, rows * row_bytes), crop.first_col,
                    TensorView<float, 2>(out.data() + row * crop.cols, {rows, crop.cols}));
    window->Skip(rows * row_bytes);
  }
  return absl::OkStatus();
}

// The same for CM: headers of all columns, then column by column.
absl::Status ReadColumns(const KaldiHeader& header, const KaldiCrop& crop, ByteWindow* window,
                         TensorView<float, 2> out) {
  const int64_t columns = window->position() + kKaldiColumnHeaderBytes * header.cols;
  window->Skip(kKaldiColumnHeaderBytes * crop.first_col);
  std::string headers(kKaldiColumnHeaderBytes * crop.cols, '\0');
  RETURN_IF_ERROR(window->Read(static_cast<int64_t>(headers.size()), &headers[0]));
  for (int64_t j = 0; j < crop.cols; ++j) {
    window->Seek(columns + (crop.first_col + j) * header.rows + crop.first_row);
    ASSIGN_OR_RETURN(const absl::string_view bytes, window->Peek(crop.rows));
    DecompressKaldiColumn(header.scale,
                          absl::string_view(headers).substr(kKaldiColumnHeaderBytes * j, kKaldiColumnHeaderBytes),
                          bytes.data(), j, out);
  }
  return absl::OkStatus();
}

absl::Status ReadBinaryObject(ByteWindow* window, const Range& range, Tensor<float, 2>* matrix) {
  ASSIGN_OR_RETURN(const absl::string_view start, window->Peek(kMaxKaldiHeaderBytes));
  ASSIGN_OR_RETURN(const KaldiHeader header,
                   ParseKaldiHeader(start, window->name(), window->position(), window->remaining()));
  ASSIGN_OR_RETURN(const KaldiCrop crop, range.Crop(header.rows, header.cols, header.is_vector));
  const int64_t end = window->position() + header.bytes + header.data_bytes;
  window->Skip(header.bytes);
  matrix->Resize({crop.rows, crop.cols});
  const auto read = header.format == KaldiFormat::kCm ? ReadColumns : ReadRows;
  RETURN_IF_ERROR(read(header, crop, window, matrix->view()));
  window->Seek(end);
  return absl::OkStatus();
}

// Behind "]" nothing stands but the end of the line.
absl::Status SkipLineEnd(ByteWindow* window) {
  while (window->remaining() > 0) {
    ASSIGN_OR_RETURN(const absl::string_view next, window->Peek(1));
    const char c = next[0];
    if (!absl::ascii_isspace(static_cast<unsigned char>(c))) {
      return ByteError(window->name(), window->position(), "the end of the line behind \"]\"", Quoted({&c, 1}));
    }
    window->Skip(1);
    if (c == '\n') break;
  }
  return absl::OkStatus();
}

absl::Status ReadTextObject(ByteWindow* window, const Range& range, Tensor<float, 2>* matrix) {
  RETURN_IF_ERROR(SkipSpace(window));
  ASSIGN_OR_RETURN(absl::string_view next, window->Peek(1));
  if (!absl::StartsWith(next, "[")) {
    return ByteError(window->name(), window->position(), "an object of Kaldi (\"\\0B\" or \"[\")",
                     next.empty() ? "the end of the file" : Quoted(next.substr(0, 1)));
  }
  window->Skip(1);
  int64_t end = 0;
  do {
    ASSIGN_OR_RETURN(next, window->Peek(std::max(end + 1, 2 * end)));
    end = FindKaldiTextEnd(next, end);
    if (end > kMaxMatrixBytes) {
      return ByteError(window->name(), window->position() + end,
                       absl::StrCat("\"]\" within ", kMaxMatrixBytes, " bytes"), "more text");
    }
  } while (end == static_cast<int64_t>(next.size()) && end < window->remaining());
  if (!absl::StartsWith(next.substr(end), "]")) {
    return ByteError(window->name(), window->position() + end, "a number or \"]\"",
                     end == window->remaining() ? "the end of the file" : Quoted(next.substr(end, 1)));
  }
  ASSIGN_OR_RETURN(auto all, ParseKaldiText(next.substr(0, end), window->name(), window->position()));
  ASSIGN_OR_RETURN(const KaldiCrop crop, range.Crop(all.dim(0), all.dim(1), /*is_vector=*/false));
  if (crop.rows == all.dim(0) && crop.cols == all.dim(1)) {
    *matrix = std::move(all);
  } else {
    matrix->Resize({crop.rows, crop.cols});
    for (int64_t i = 0; i < crop.rows; ++i) {
      const float* from = &all.view()(crop.first_row + i, crop.first_col);
      std::copy_n(from, crop.cols, matrix->view().row(i).data());
    }
  }
  window->Skip(end + 1);
  return SkipLineEnd(window);
}

// What the window stands at. Leaves it behind the object.
absl::Status ReadObject(ByteWindow* window, const Range& range, Tensor<float, 2>* matrix) {
  ASSIGN_OR_RETURN(const absl::string_view next, window->Peek(1));
  const bool binary = !next.empty() && next[0] == '\0';
  return binary ? ReadBinaryObject(window, range, matrix) : ReadTextObject(window, range, matrix);
}

absl::Status ReadWholeFile(ByteWindow* window, const Range& range, Tensor<float, 2>* matrix) {
  RETURN_IF_ERROR(ReadObject(window, range, matrix));
  RETURN_IF_ERROR(SkipSpace(window));
  if (window->remaining() == 0) return absl::OkStatus();
  return ByteError(window->name(), window->position(), "the end of the file behind its one object",
                   absl::StrCat(window->remaining(), " more bytes"));
}

}  // namespace

KaldiArchiveReader::KaldiArchiveReader(std::unique_ptr<InputFile> file)
    : file_(std::move(file)), window_(file_.get(), kArchiveChunk) {}

absl::StatusOr<std::unique_ptr<KaldiArchiveReader>> KaldiArchiveReader::Open(const std::string& path) {
  ASSIGN_OR_RETURN(std::unique_ptr<InputFile> file, InputFile::Open(path));
  return std::unique_ptr<KaldiArchiveReader>(new KaldiArchiveReader(std::move(file)));
}

absl::StatusOr<bool> KaldiArchiveReader::Next(std::string* key, Tensor<float, 2>* matrix) {
  RETURN_IF_ERROR(SkipSpace(&window_));
  if (window_.remaining() == 0) return false;
  ASSIGN_OR_RETURN(const absl::string_view next, window_.Peek(kMaxIdBytes + 1));
  const absl::string_view start = next.substr(0, kMaxIdBytes + 1);
  const int64_t length = std::find_if(start.begin(), start.end(), absl::ascii_isspace) - start.begin();
  const std::string problem = IdProblem(start.substr(0, length));
  if (!problem.empty() || length == static_cast<int64_t>(start.size())) {
    return ByteError(window_.name(), window_.position(),
                     absl::StrCat("a key of at most ", kMaxIdBytes, " bytes and a space"),
                     problem.empty() ? Quoted(start) : problem);
  }
  key->assign(next.data(), length);
  window_.Skip(length + (next[length] == '\n' ? 0 : 1));
  RETURN_IF_ERROR(ReadObject(&window_, Range(), matrix));
  return true;
}

absl::StatusOr<Tensor<float, 2>> DecodeKaldiMatrix(absl::string_view content, absl::string_view name) {
  ByteWindow window(content, name);
  Tensor<float, 2> matrix;
  RETURN_IF_ERROR(ReadWholeFile(&window, Range(), &matrix));
  return matrix;
}

absl::StatusOr<Tensor<float, 2>> ReadKaldiMatrix(const std::string& location) {
  KaldiLocationReader reader;
  Tensor<float, 2> matrix;
  RETURN_IF_ERROR(reader.Read(location, &matrix));
  return matrix;
}

absl::Status KaldiLocationReader::Read(const std::string& text, Tensor<float, 2>* matrix) {
  ASSIGN_OR_RETURN(const KaldiLocation location, ParseKaldiLocation(text));
  if (file_ == nullptr || file_->path() != location.path) {
    ASSIGN_OR_RETURN(file_, InputFile::Open(location.path));
  }
  ByteWindow window(file_.get(), kObjectChunk);
  const Range range{&location, text};
  if (location.offset < 0) return ReadWholeFile(&window, range, matrix);
  if (location.offset >= window.remaining()) {
    return ByteError(location.path, location.offset, "an object of Kaldi",
                     absl::StrCat("a file of ", file_->size(), " bytes"));
  }
  window.Seek(location.offset);
  return ReadObject(&window, range, matrix);
}

}  // namespace earshot
