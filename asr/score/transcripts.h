// The files that a scorer compares: one utterance a line, in either of two forms, told apart by their content.
//   text  "ID WORD WORD ..."    Kaldi's text files, a recogniser's "id<TAB>text"
//   trn   "WORD WORD ... (ID)"  of NIST's sclite; lines that begin with ";;" are comments
#ifndef EARSHOT_ASR_SCORE_TRANSCRIPTS_H_
#define EARSHOT_ASR_SCORE_TRANSCRIPTS_H_

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/kaldi_text.h"

namespace earshot {

class Transcripts {
 public:
  // A file is trn when most of its lines end in a word in parentheses, rarely the same one. Byte order marks, Windows
  // line ends, empty lines and any order of lines are read. Errors are `name:LINE: expected X, found Y`: an id twice,
  // text that is not printable UTF-8 with plain spaces, in trn a line without an id.
  static absl::StatusOr<Transcripts> Parse(absl::string_view content, absl::string_view name);

  const std::string& name() const { return table_.name(); }
  bool trn() const { return trn_; }
  int64_t size() const { return table_.size(); }
  bool Has(absl::string_view id) const { return table_.Find(id) >= 0; }
  std::map<std::string, std::string> texts() const;  // by id

  // "NAME:LINE: expected `expected`, found `found`" for the line of `id`, which must be there.
  absl::Status Error(absl::string_view id, absl::string_view expected, absl::string_view found) const;

 private:
  Transcripts(std::unique_ptr<const std::string> content, bool trn, KaldiTextFile table)
      : content_(std::move(content)), trn_(trn), table_(std::move(table)) {}

  std::unique_ptr<const std::string> content_;  // what the table views
  bool trn_;
  KaldiTextFile table_;
};

}  // namespace earshot

#endif  // EARSHOT_ASR_SCORE_TRANSCRIPTS_H_
