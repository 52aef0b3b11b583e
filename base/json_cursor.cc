#include "base/json_cursor.h"

#include <charconv>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "base/utf8.h"

namespace earshot {
namespace {

void AppendUtf8(uint32_t code, std::string* out) {
  if (code < 0x80) {
    out->push_back(static_cast<char>(code));
    return;
  }
  const int tail = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  const uint32_t lead = tail == 1 ? 0xC0 : tail == 2 ? 0xE0 : 0xF0;
  out->push_back(static_cast<char>(lead | code >> (6 * tail)));
  for (int i = tail - 1; i >= 0; --i) out->push_back(static_cast<char>(0x80 | (code >> (6 * i) & 0x3F)));
}

// Of ASCII, and stands for itself in a string.
bool IsPlain(unsigned char c) { return c >= 0x20 && c < 0x80 && c != '"' && c != '\\'; }

}  // namespace

absl::Status JsonCursor::Error(int64_t at, absl::string_view expected, absl::string_view found) const {
  return ByteError(name_, at, expected, found);
}

absl::Status JsonCursor::ErrorHere(absl::string_view expected) const {
  if (at_ >= static_cast<int64_t>(text_.size())) return Error(at_, expected, "the end of the JSON");
  const unsigned char c = text_[at_];
  const bool printable = absl::ascii_isprint(c) && c != '\'';
  return Error(
      at_, expected,
      printable ? absl::StrCat("'", text_.substr(at_, 1), "'") : absl::StrCat("0x", absl::Hex(c, absl::kZeroPad2)));
}

void JsonCursor::SkipSpace() {
  const int64_t size = text_.size();
  while (at_ < size && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
}

bool JsonCursor::Consume(char c) {
  SkipSpace();
  if (at_ == static_cast<int64_t>(text_.size()) || text_[at_] != c) return false;
  ++at_;
  return true;
}

absl::Status JsonCursor::Expect(char c) {
  return Consume(c) ? absl::OkStatus() : ErrorHere(absl::StrCat("'", std::string(1, c), "'"));
}

absl::Status JsonCursor::Object(absl::FunctionRef<absl::Status(std::string, int64_t)> member) {
  RETURN_IF_ERROR(Expect('{'));
  if (Consume('}')) return absl::OkStatus();
  do {
    SkipSpace();
    const int64_t key_at = at_;
    std::string key;
    RETURN_IF_ERROR(String(&key));
    RETURN_IF_ERROR(Expect(':'));
    RETURN_IF_ERROR(member(std::move(key), key_at));
  } while (Consume(','));
  return Consume('}') ? absl::OkStatus() : ErrorHere("',' or '}'");
}

absl::Status JsonCursor::Array(absl::FunctionRef<absl::Status()> element) {
  RETURN_IF_ERROR(Expect('['));
  if (Consume(']')) return absl::OkStatus();
  do {
    RETURN_IF_ERROR(element());
  } while (Consume(','));
  return Consume(']') ? absl::OkStatus() : ErrorHere("',' or ']'");
}

absl::Status JsonCursor::String(std::string* value) {
  value->clear();
  if (!Consume('"')) return ErrorHere("a string");
  const int64_t size = text_.size();
  while (true) {
    const int64_t begin = at_;
    while (at_ < size && IsPlain(text_[at_])) ++at_;
    value->append(text_.data() + begin, at_ - begin);
    if (at_ >= size || text_[at_] == '"') break;
    const unsigned char c = text_[at_];
    if (c == '\\') {
      RETURN_IF_ERROR(Escape(value));
    } else if (c < 0x20) {
      return ErrorHere("an escaped control character");
    } else {
      const size_t bytes = CodePointBytes(text_.substr(at_));
      if (bytes == 0) return ErrorHere("UTF-8");
      absl::StrAppend(value, text_.substr(at_, bytes));
      at_ += static_cast<int64_t>(bytes);
    }
  }
  if (at_ >= size) return ErrorHere("'\"'");
  ++at_;
  return absl::OkStatus();
}

absl::Status JsonCursor::Escape(std::string* value) {
  ++at_;  // the backslash
  const char c = at_ < static_cast<int64_t>(text_.size()) ? text_[at_] : '\0';
  static constexpr absl::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const size_t simple = kNames.find(c);
  if (simple != absl::string_view::npos) {
    value->push_back(kMeanings[simple]);
    ++at_;
    return absl::OkStatus();
  }
  if (c != 'u') return ErrorHere("an escape of JSON");
  uint32_t code = 0;
  RETURN_IF_ERROR(Hex4(&code));
  if (code >= 0xD800 && code < 0xE000) {  // a pair of surrogates (RFC 8259, section 7)
    const int64_t pair_at = at_;
    uint32_t low = 0;
    if (code >= 0xDC00 || text_.substr(at_, 2) != "\\u") return ErrorHere("a pair of surrogates");
    ++at_;
    RETURN_IF_ERROR(Hex4(&low));
    if (low < 0xDC00 || low >= 0xE000) return Error(pair_at, "a low surrogate", absl::StrCat("\\u", absl::Hex(low)));
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  AppendUtf8(code, value);
  return absl::OkStatus();
}

absl::Status JsonCursor::Hex4(uint32_t* code) {
  *code = 0;
  ++at_;  // the u
  for (int i = 0; i < 4; ++i, ++at_) {
    const unsigned char c = at_ < static_cast<int64_t>(text_.size()) ? text_[at_] : '\0';
    if (!absl::ascii_isxdigit(c)) return ErrorHere("four hexadecimal digits");
    *code = *code << 4 | (absl::ascii_isdigit(c) ? c - '0' : absl::ascii_tolower(c) - 'a' + 10);
  }
  return absl::OkStatus();
}

absl::Status JsonCursor::Integer(int64_t* value) {
  SkipSpace();
  const int64_t begin = at_, size = text_.size();
  *value = 0;
  while (at_ < size && absl::ascii_isdigit(text_[at_])) {
    if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, text_[at_] - '0', value)) {
      return Error(begin, "an integer below 2^63", "a larger one");
    }
    ++at_;
  }
  const bool leading_zero = at_ - begin > 1 && text_[begin] == '0';
  if (at_ == begin || leading_zero) {
    at_ = begin;
    return ErrorHere("an integer of at least 0");
  }
  if (at_ < size && (text_[at_] == '.' || text_[at_] == 'e' || text_[at_] == 'E')) return ErrorHere("a whole number");
  return absl::OkStatus();
}

absl::Status JsonCursor::Number(double* value) {
  SkipSpace();
  const int64_t begin = at_, size = text_.size();
  const auto digits = [&] {
    const int64_t first = at_;
    while (at_ < size && absl::ascii_isdigit(text_[at_])) ++at_;
    return at_ - first;
  };
  if (at_ < size && text_[at_] == '-') ++at_;
  const bool leading_zero = at_ < size && text_[at_] == '0';
  const int64_t whole = digits();
  if (whole == 0 || (leading_zero && whole > 1)) {
    at_ = begin;
    return ErrorHere("a number");
  }
  if (at_ < size && text_[at_] == '.') {
    ++at_;
    if (digits() == 0) return ErrorHere("a digit");
  }
  if (at_ < size && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (at_ < size && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    if (digits() == 0) return ErrorHere("a digit");
  }
  const auto result = std::from_chars(text_.data() + begin, text_.data() + at_, *value);
  if (result.ec == std::errc()) return absl::OkStatus();
  return Error(begin, "a number that a double can hold", Quoted(text_.substr(begin, at_ - begin)));
}

bool JsonCursor::ConsumeWord(absl::string_view word) {
  SkipSpace();
  if (text_.substr(at_, word.size()) != word) return false;
  at_ += word.size();
  return true;
}

absl::Status JsonCursor::Bool(bool* value) {
  *value = ConsumeWord("true");
  return *value || ConsumeWord("false") ? absl::OkStatus() : ErrorHere("true or false");
}

bool JsonCursor::ConsumeNull() { return ConsumeWord("null"); }

char JsonCursor::Peek() {
  SkipSpace();
  return at_ < static_cast<int64_t>(text_.size()) ? text_[at_] : '\0';
}

absl::Status JsonCursor::Skip() { return Skip(0); }

absl::Status JsonCursor::Skip(int nesting) {
  const char next = Peek();
  std::string text;
  double number = 0;
  bool truth = false;
  if ((next == '{' || next == '[') && nesting == kMaxJsonNesting) {
    return Error(at_, absl::StrCat("at most ", kMaxJsonNesting, " levels of nesting"), "more");
  }
  if (next == '{') return Object([&](std::string, int64_t) { return Skip(nesting + 1); });
  if (next == '[') return Array([&] { return Skip(nesting + 1); });
  if (next == '"') return String(&text);
  if (next == 't' || next == 'f') return Bool(&truth);
  if (next == 'n') return ConsumeNull() ? absl::OkStatus() : ErrorHere("null");
  return next == '-' || absl::ascii_isdigit(next) ? Number(&number) : ErrorHere("a value");
}

absl::Status JsonCursor::End() {
  SkipSpace();
  return at_ == static_cast<int64_t>(text_.size()) ? absl::OkStatus() : ErrorHere("only spaces after the JSON");
}

}  // namespace earshot
