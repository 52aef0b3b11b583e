// A strict reader of JSON (RFC 8259) that walks over the text once and builds nothing: what safetensors headers and
// manifests need. Unlike protobuf's parser it names the byte of an error, takes no memory of its own (a hostile header
// of 16 MiB costs protobuf 600 MiB) and accepts no dialect (single quotes, bare names, trailing commas).
#ifndef EARSHOT_BASE_JSON_CURSOR_H_
#define EARSHOT_BASE_JSON_CURSOR_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace earshot {

constexpr int kMaxJsonNesting = 64;

// Errors are InvalidArgument, "NAME: byte N: expected X, found Y"; N counts from the start of `file`.
class JsonCursor {
 public:
  // Reads file[begin, end). `file` and `name` must outlive the cursor.
  JsonCursor(absl::string_view file, int64_t begin, int64_t end, absl::string_view name)
      : text_(file.substr(0, end)), at_(begin), name_(name) {}

  // {"key": value, ...}: `member` is called after each colon and reads the value; key_at is the byte of the key.
  // Keys are not compared with each other: the caller knows which may repeat.
  absl::Status Object(absl::FunctionRef<absl::Status(std::string key, int64_t key_at)> member);
  // [value, ...]: `element` reads each value.
  absl::Status Array(absl::FunctionRef<absl::Status()> element);
  absl::Status String(std::string* value);  // valid UTF-8, escapes resolved
  absl::Status Integer(int64_t* value);     // a whole number in [0, 2^63), without fraction, exponent or sign
  absl::Status Number(double* value);       // any number that a double can hold; finite
  absl::Status Bool(bool* value);
  absl::Status Skip();  // any value, at most kMaxJsonNesting deep, to the rules of its kind
  absl::Status End();   // nothing but white space is left

  // Whether null is next; if so, it is read.
  bool ConsumeNull();
  // The first character of what is next, after white space; NUL at the end.
  char Peek();

  // The error at byte `at`, in the form above; `found` is what the file has there.
  absl::Status Error(int64_t at, absl::string_view expected, absl::string_view found) const;
  int64_t at() const { return at_; }

 private:
  void SkipSpace();
  bool Consume(char c);  // skips white space, then c if it is next
  absl::Status Expect(char c);
  absl::Status ErrorHere(absl::string_view expected) const;
  bool ConsumeWord(absl::string_view word);
  absl::Status Skip(int nesting);
  absl::Status Escape(std::string* value);
  absl::Status Hex4(uint32_t* code);

  absl::string_view text_;
  int64_t at_;
  absl::string_view name_;
};

}  // namespace earshot

#endif  // EARSHOT_BASE_JSON_CURSOR_H_
