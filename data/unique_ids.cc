#include "data/unique_ids.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "data/kaldi_text.h"
#include "data/limits.h"
#include "data/utf8.h"

namespace earshot {
namespace {

// Room for "-2", "-3" ...
constexpr size_t kMaxStemBytes = kMaxIdBytes - 12;

}  // namespace

std::string IdFromAudio(const UtteranceSource& source) {
  absl::string_view audio = absl::StripAsciiWhitespace(source.audio);
  const size_t before = audio.find_last_of(source.audio_is_command ? "/ " : "/");
  if (before != absl::string_view::npos) audio.remove_prefix(before + 1);
  const size_t dot = audio.rfind('.');
  if (dot != 0) audio = audio.substr(0, dot);
  if (audio.size() <= kMaxStemBytes && IdProblem(audio).empty()) return std::string(audio);
  std::string id;
  for (size_t at = 0, bytes; at < audio.size() && id.size() < kMaxStemBytes; at += bytes) {
    bytes = std::max<size_t>(CodePointBytes(audio.substr(at)), 1);  // names of files need not be UTF-8
    const absl::string_view character = audio.substr(at, bytes);
    absl::StrAppend(&id, IdProblem(absl::StrCat("x", character)).empty() ? character : "_");
  }
  return IdProblem(id).empty() ? id : "utterance";
}

std::string UniqueIds::Make(absl::string_view stem) {
  std::string id(stem);
  if (!ids_.contains(id)) return id;
  int64_t& number = last_.emplace(stem, 1).first->second;
  while (ids_.contains(id)) id = absl::StrCat(stem, "-", ++number);
  return id;
}

}  // namespace earshot
