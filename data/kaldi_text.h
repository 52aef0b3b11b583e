// The text files of a Kaldi data directory, one entry a line: an id, white space, what belongs to it.
// https://kaldi-asr.org/doc/data_prep.html; utils/validate_data_dir.sh is what Kaldi itself checks.
#ifndef EARSHOT_DATA_KALDI_TEXT_H_
#define EARSHOT_DATA_KALDI_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace earshot {

// What is wrong with `id` as the id of an utterance, speaker or recording; empty: nothing. It has 1 to 255 bytes of
// printable UTF-8 without white space, and is no path that leads out of a folder ("/x", "..", "a/../b").
std::string IdProblem(absl::string_view id);

struct KaldiTextOptions {
  bool values_may_be_empty = false;
  bool values_are_words = false;  // nothing but spaces and tabs may stand between them (U+00A0 is an error)
  bool long_lines = false;        // more than kMaxLineBytes: spk2utt
};

// The entries of such a file by id, in the order of bytes (LC_ALL=C) whatever order the lines have.
class KaldiTextFile {
 public:
  // Keeps a view of `content` and 4 bytes a line. Errors, as `name:LINE: expected X, found Y`: an id twice (both lines
  // are named), a bad id, no value, something unprintable, a line that is too long. What can be read although it is
  // not as Kaldi wants it is added to `warnings`, once a file and kind with its first line: another order of lines,
  // Windows line ends, a byte order mark, empty lines, no line end at the end.
  static absl::StatusOr<KaldiTextFile> Parse(absl::string_view content, absl::string_view name,
                                             const KaldiTextOptions& options, std::vector<std::string>* warnings);

  const std::string& name() const { return name_; }
  int64_t size() const { return static_cast<int64_t>(begins_.size()); }
  absl::string_view id(int64_t i) const;
  absl::string_view value(int64_t i) const;  // without white space at its ends
  int64_t line(int64_t i) const;             // counted from 1; walks through the file: for messages
  int64_t Find(absl::string_view id) const;  // -1: it is not there

  // "NAME:LINE: expected `expected`, found `found`" for entry i.
  absl::Status Error(int64_t i, absl::string_view expected, absl::string_view found) const;

 private:
  KaldiTextFile(absl::string_view content, absl::string_view name) : content_(content), name_(name) {}
  absl::Status ReadLines(const KaldiTextOptions& options, std::vector<std::string>* warnings);
  absl::Status CheckLine(const KaldiTextOptions& options, absl::string_view line, int64_t number);
  absl::Status Sort(std::vector<std::string>* warnings);

  absl::string_view content_;
  std::string name_;
  std::vector<uint32_t> begins_;  // of each entry's id in the content
};

// The words of a value, with single spaces between them.
std::string SingleSpaces(absl::string_view value);

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_TEXT_H_
