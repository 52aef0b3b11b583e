#include "data/kaldi_text.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "data/limits.h"
#include "data/line_reader.h"

namespace earshot {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

absl::string_view StripBlanks(absl::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

bool EndsId(char c) { return IsBlank(c) || c == '\n' || c == '\r'; }

absl::string_view FirstWord(absl::string_view text) {
  size_t end = 0;
  while (end < text.size() && !EndsId(text[end])) ++end;
  return text.substr(0, end);
}

// FirstWord(a).compare(FirstWord(b)), in one pass: a million lines in the wrong order are sorted by it.
int CompareIds(absl::string_view a, absl::string_view b) {
  const size_t size = std::min(a.size(), b.size());
  size_t i = 0;
  while (i < size && a[i] == b[i] && !EndsId(a[i])) ++i;
  const bool a_ends = i == a.size() || EndsId(a[i]), b_ends = i == b.size() || EndsId(b[i]);
  if (a_ends || b_ends) return static_cast<int>(b_ends) - static_cast<int>(a_ends);
  return static_cast<unsigned char>(a[i]) - static_cast<unsigned char>(b[i]);
}

}  // namespace

std::string IdProblem(absl::string_view id) {
  if (id.empty()) return "nothing";
  if (id.size() > kMaxIdBytes) return absl::StrCat("one of ", id.size(), " bytes, ", Quoted(id));
  const size_t bad = FindUnprintable(id, true);
  if (bad != absl::string_view::npos) return absl::StrCat(CodePointName(id.substr(bad)), " in ", Quoted(id));
  if (FirstWord(id).size() != id.size()) return absl::StrCat("white space in ", Quoted(id));
  if (id.front() == '/') return absl::StrCat("the path ", Quoted(id));
  if (id.find('.') == absl::string_view::npos) return "";
  for (const absl::string_view part : absl::StrSplit(id, '/')) {
    if (part == "." || part == "..") return absl::StrCat("the path ", Quoted(id));
  }
  return "";
}

absl::StatusOr<KaldiTextFile> KaldiTextFile::Parse(absl::string_view content, absl::string_view name,
                                                   const KaldiTextOptions& options,
                                                   std::vector<std::string>* warnings) {
  if (static_cast<int64_t>(content.size()) > kMaxListBytes) {
    return ByteError(name, kMaxListBytes, "the end of the file", "more");
  }
  KaldiTextFile file(content, name);
  RETURN_IF_ERROR(file.ReadLines(options, warnings));
  RETURN_IF_ERROR(file.Sort(warnings));
  return file;
}

absl::Status KaldiTextFile::ReadLines(const KaldiTextOptions& options, std::vector<std::string>* warnings) {
  begins_.reserve(std::count(content_.begin(), content_.end(), '\n') + 1);
  LineReader lines(content_, name_, options.long_lines ? kMaxListBytes : kMaxLineBytes);
  absl::string_view line;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, lines.Next(&line));
    if (!more) break;
    const absl::string_view entry = StripBlanks(line);
    RETURN_IF_ERROR(CheckLine(options, entry, lines.line_number()));
    begins_.push_back(static_cast<uint32_t>(entry.data() - content_.data()));
  }
  lines.AppendWarnings(/*want_line_end=*/true, warnings);
  return absl::OkStatus();
}

absl::Status KaldiTextFile::CheckLine(const KaldiTextOptions& options, absl::string_view line, int64_t number) {
  const size_t bad = FindUnprintable(line, options.values_are_words);
  if (bad != absl::string_view::npos) {
    return LineError(
        name_, number, options.values_are_words ? "printable UTF-8 and plain spaces" : "printable UTF-8",
        absl::StrCat(CodePointName(line.substr(bad)), " in ", Quoted(line.substr(bad < 20 ? 0 : bad - 20))));
  }
  const absl::string_view id = FirstWord(line);
  const std::string problem = IdProblem(id);
  if (!problem.empty()) {
    return LineError(name_, number, absl::StrCat("an id of at most ", kMaxIdBytes, " bytes, without \"..\""), problem);
  }
  if (id.size() == line.size() && !options.values_may_be_empty) {
    return LineError(name_, number, "an id, a space and more", Quoted(line));
  }
  return absl::OkStatus();
}

absl::Status KaldiTextFile::Sort(std::vector<std::string>* warnings) {
  int64_t first = 1;
  while (first < size() && id(first - 1) < id(first)) ++first;
  if (first >= size()) return absl::OkStatus();
  if (id(first - 1) != id(first)) {
    warnings->push_back(absl::StrCat(name_, ":", line(first), ": expected an id after ", Quoted(id(first - 1)),
                                     " in the order of bytes (LC_ALL=C), found ", Quoted(id(first)),
                                     "; entries are found by id"));
  }
  std::sort(begins_.begin(), begins_.end(), [this](uint32_t a, uint32_t b) {
    const int order = CompareIds(content_.substr(a), content_.substr(b));
    return order != 0 ? order < 0 : a < b;
  });
  for (int64_t i = 1; i < size(); ++i) {
    if (id(i - 1) == id(i)) {
      return Error(i, "each id once", absl::StrCat(Quoted(id(i)), ", which line ", line(i - 1), " has too"));
    }
  }
  return absl::OkStatus();
}

absl::string_view KaldiTextFile::id(int64_t i) const { return FirstWord(content_.substr(begins_[i])); }

absl::string_view KaldiTextFile::value(int64_t i) const {
  absl::string_view line = content_.substr(begins_[i]);
  line = line.substr(0, line.find('\n'));
  if (absl::EndsWith(line, "\r")) line.remove_suffix(1);
  line.remove_prefix(FirstWord(line).size());
  return StripBlanks(line);
}

int64_t KaldiTextFile::line(int64_t i) const {
  return 1 + std::count(content_.begin(), content_.begin() + begins_[i], '\n');
}

int64_t KaldiTextFile::Find(absl::string_view id) const {
  int64_t low = 0, high = size();
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (this->id(middle) < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < size() && this->id(low) == id ? low : -1;
}

absl::Status KaldiTextFile::Error(int64_t i, absl::string_view expected, absl::string_view found) const {
  return LineError(name_, line(i), expected, found);
}

std::string SingleSpaces(absl::string_view value) {
  if (value.find('\t') == absl::string_view::npos && value.find("  ") == absl::string_view::npos) {
    return std::string(value);
  }
  const std::vector<absl::string_view> words = absl::StrSplit(value, absl::ByAnyChar(" \t"), absl::SkipEmpty());
  return absl::StrJoin(words, " ");
}

}  // namespace earshot
