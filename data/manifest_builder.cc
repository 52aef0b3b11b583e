#include "data/manifest_builder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "data/kaldi_text.h"
#include "data/limits.h"
#include "data/unique_ids.h"

namespace earshot {
namespace {

// Single spaces for every run of ASCII white space, none at the ends; in place, as most texts are so already.
void NormalizeSpaces(std::string* text) {
  size_t to = 0;
  bool space = true;  // the last character kept
  for (const char c : *text) {
    const bool is_space = absl::ascii_isspace(c);
    if (is_space && space) continue;
    (*text)[to++] = is_space ? ' ' : c;
    space = is_space;
  }
  if (to > 0 && space) --to;
  text->resize(to);
}

}  // namespace

ManifestBuilder::ManifestBuilder(absl::string_view kind, const LineReader& lines, const ManifestOptions& options)
    : lines_(lines), options_(options) {
  manifest_.kind = std::string(kind);
}

void ManifestBuilder::Warn(absl::string_view what) {
  manifest_.warnings.push_back(absl::StrCat(lines_.Place(), ": ", what));
}

absl::Status ManifestBuilder::CheckSeconds(absl::string_view name, double seconds) const {
  if (seconds >= 0 && seconds <= kMaxManifestSeconds) return absl::OkStatus();  // false for NaN
  return lines_.Error(absl::StrCat(name, " of 0 to ", kMaxManifestSeconds, " seconds"), absl::StrCat(seconds));
}

absl::Status ManifestBuilder::SetTimes(const ManifestTimes& times, UtteranceSource* source) const {
  source->duration_seconds = times.duration;
  source->begin_seconds = 0;
  source->end_seconds = times.end;
  if (times.begin < 0 && times.end < 0) return absl::OkStatus();
  if (times.begin >= 0) source->begin_seconds = times.begin;
  if (times.end < 0 && times.duration >= 0) source->end_seconds = source->begin_seconds + times.duration;
  if (source->end_seconds < 0 || source->begin_seconds < source->end_seconds) return absl::OkStatus();
  return lines_.Error(absl::StrCat("an end after the begin at ", source->begin_seconds, " s"),
                      absl::StrCat(source->end_seconds));
}

absl::Status ManifestBuilder::CheckText(std::string* text) {
  NormalizeSpaces(text);
  if (FindUnprintable(*text, true) == std::string::npos) return absl::OkStatus();
  std::string clean;
  absl::string_view rest = *text;
  for (size_t at = FindUnprintable(rest, true); at != std::string::npos; at = FindUnprintable(rest, true)) {
    const absl::string_view character = rest.substr(at, std::max<size_t>(CodePointBytes(rest.substr(at)), 1));
    if (FindUnprintable(character, false) == 0) {
      return lines_.Error("printable text",
                          absl::StrCat(CodePointName(character), " behind ",
                                       Quoted(rest.substr(at < 20 ? 0 : at - 20, at < 20 ? at : 20))));
    }
    if (!odd_spaces_) Warn(absl::StrCat(CodePointName(character), " in a text is read as a space"));
    odd_spaces_ = true;
    absl::StrAppend(&clean, rest.substr(0, at), " ");
    rest.remove_prefix(at + character.size());
  }
  absl::StrAppend(&clean, rest);
  *text = std::move(clean);
  NormalizeSpaces(text);
  return absl::OkStatus();
}

absl::Status ManifestBuilder::CheckName(absl::string_view what, std::string* name) {
  if (name->empty()) return absl::OkStatus();
  if (std::any_of(name->begin(), name->end(), absl::ascii_isspace)) {
    NormalizeSpaces(name);
    std::replace(name->begin(), name->end(), ' ', '_');
    if (!odd_names_) Warn(absl::StrCat("white space in the name of ", what, " is read as \"_\""));
    odd_names_ = true;
  }
  return CheckId(what, *name);
}

absl::Status ManifestBuilder::CheckId(absl::string_view what, absl::string_view id) const {
  const std::string problem = IdProblem(id);
  if (problem.empty()) return absl::OkStatus();
  return lines_.Error(absl::StrCat(what, " of at most ", kMaxIdBytes, " printable bytes without white space or \"..\""),
                      problem);
}

absl::Status ManifestBuilder::CheckAudio(UtteranceSource* source) const {
  std::string& audio = source->audio;
  const size_t bad = std::min(FindUnprintable(audio, false), audio.find_first_of("\t\n"));
  if (bad != std::string::npos) {
    const std::string character = CodePointName(absl::string_view(audio).substr(bad));
    return lines_.Error("a printable path", absl::StrCat(character, " in ", Quoted(audio)));
  }
  if (absl::EndsWith(absl::StripTrailingAsciiWhitespace(audio), "|")) {
    source->audio_is_command = true;
    audio = std::string(absl::StripAsciiWhitespace(audio.substr(0, audio.rfind('|'))));
  }
  if (source->audio_is_command && !options_.allow_commands) {
    return lines_.Error("a file (commands run only with --allow_commands)",
                        absl::StrCat("the command ", Quoted(audio)));
  }
  if (audio.empty()) return lines_.Error("a path of audio", "none");
  if (audio == "-") return lines_.Error("a path of audio", "standard input");
  if (!source->audio_is_command && audio.find("://") != std::string::npos) {
    return lines_.Error("a path of audio", absl::StrCat("the address ", Quoted(audio)));
  }
  return absl::OkStatus();
}

absl::Status ManifestBuilder::Add(UtteranceSource source) {
  if (!source.id.empty()) RETURN_IF_ERROR(CheckId("an id", source.id));
  RETURN_IF_ERROR(CheckName("a recording", &source.recording));
  RETURN_IF_ERROR(CheckName("a speaker", &source.speaker));
  RETURN_IF_ERROR(CheckAudio(&source));
  RETURN_IF_ERROR(CheckText(&source.text));
  source.text.shrink_to_fit();
  source.audio.shrink_to_fit();
  manifest_.utterances.push_back(std::move(source));
  line_numbers_.push_back(lines_.line_number());
  return absl::OkStatus();
}

absl::Status ManifestBuilder::MakeIds() {
  std::vector<UtteranceSource>& utterances = manifest_.utterances;
  UniqueIds ids;
  for (size_t i = 0; i < utterances.size(); ++i) {
    const std::string& id = utterances[i].id;
    if (id.empty() || ids.Add(id)) continue;
    const auto other = std::find_if(utterances.begin(), utterances.end(),
                                    [&id](const UtteranceSource& utterance) { return utterance.id == id; });
    return LineError(lines_.name(), line_numbers_[i], "each id once",
                     absl::StrCat(Quoted(id), ", which line ", line_numbers_[other - utterances.begin()], " has too"));
  }
  for (UtteranceSource& utterance : utterances) {
    if (!utterance.id.empty()) continue;
    manifest_.made_ids = true;
    utterance.id = ids.Make(IdFromAudio(utterance));
    ids.Add(utterance.id);
  }
  return absl::OkStatus();
}

absl::StatusOr<Manifest> ManifestBuilder::Finish(bool want_line_end) {
  if (manifest_.utterances.empty()) return LineError(lines_.name(), 1, "an utterance", "none in the whole file");
  RETURN_IF_ERROR(MakeIds());
  lines_.AppendWarnings(want_line_end, &manifest_.warnings);
  return std::move(manifest_);
}

}  // namespace earshot
