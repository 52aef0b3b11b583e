#include "asr/score/score_run.h"

#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "asr/score/transcripts.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/json.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/limits.h"

namespace earshot {
namespace {

using Texts = std::map<std::string, std::string>;

constexpr struct {
  absl::string_view name;
  MissingHypothesis mode;
} kModes[] = {
    {"strict", MissingHypothesis::kStrict}, {"present", MissingHypothesis::kPresent}, {"all", MissingHypothesis::kAll}};

absl::string_view ModeName(MissingHypothesis mode) {
  for (const auto& m : kModes) {
    if (m.mode == mode) return m.name;
  }
  return "";
}

absl::StatusOr<Transcripts> ReadTranscripts(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string content, ReadFile(UserPath(path), kMaxListBytes));
  return Transcripts::Parse(content, path);
}

// What is wrong with the two lists of ids; `unknown` gets the ids of hypotheses without a reference.
absl::Status CompareIds(const Transcripts& reference, const Texts& references, const Transcripts& hypothesis,
                        const Texts& hypotheses, bool strict, std::vector<std::string>* unknown) {
  for (const auto& h : hypotheses) {
    if (references.count(h.first) == 0) unknown->push_back(h.first);
  }
  if (!hypotheses.empty() && unknown->size() == hypotheses.size()) {
    return hypothesis.Error(unknown->front(), absl::StrCat("at least one id of ", reference.name()),
                            absl::StrCat("none; the first is ", Quoted(unknown->front())));
  }
  if (!strict) return absl::OkStatus();
  if (!unknown->empty()) {
    return hypothesis.Error(unknown->front(), absl::StrCat("an id of ", reference.name()), Quoted(unknown->front()));
  }
  for (const auto& r : references) {
    if (hypotheses.count(r.first) > 0) continue;
    return reference.Error(r.first, absl::StrCat("a hypothesis for every utterance in ", hypothesis.name()),
                           absl::StrCat("none for ", Quoted(r.first), " (--mode=all or present takes that)"));
  }
  return absl::OkStatus();
}

std::string JsonCounts(const ErrorCounts& c) {
  return absl::StrFormat(R"({"errors": %d, "substitutions": %d, "deletions": %d, "insertions": %d, "reference": %d})",
                         c.errors(), c.substitutions, c.deletions, c.insertions, c.reference);
}

std::string Json(const ScoreRunOptions& options, const ErrorRate& rate, const std::vector<std::string>& unknown) {
  const auto id = [](std::string* out, const std::string& id) { out->append(JsonString(id)); };
  return absl::StrCat(
      "{\"reference\": ", JsonString(options.reference), ", \"hypothesis\": ", JsonString(options.hypothesis),
      ", \"mode\": ", JsonString(ModeName(options.mode)), ",\n \"wer\": ", JsonNumber(rate.words().percent()),
      ", \"words\": ", JsonCounts(rate.words()), ",\n \"cer\": ", JsonNumber(rate.characters().percent()),
      ", \"characters\": ", JsonCounts(rate.characters()),
      ",\n \"sentence_error\": ", JsonNumber(rate.sentence_error()), ", \"sentences\": ", rate.sentences(),
      ", \"wrong_sentences\": ", rate.wrong_sentences(), ", \"missing\": ", rate.missing(),
      ",\n \"without_reference\": [", absl::StrJoin(unknown, ", ", id), "]}\n");
}

void Print(const ScoreRunOptions& options, const ErrorRate& rate, FILE* out) {
  std::string text = absl::StrCat(rate.WerLine(), "\n");
  if (options.characters) absl::StrAppend(&text, rate.CerLine(), "\n");
  absl::StrAppend(&text, rate.SerLine(), "\n", rate.ScoredLine(), "\n");
  if (options.worst > 0) absl::StrAppend(&text, rate.WorstAlignments(options.worst));
  std::fwrite(text.data(), 1, text.size(), out);
}

}  // namespace

absl::StatusOr<MissingHypothesis> ParseMissingHypothesis(absl::string_view name) {
  for (const auto& m : kModes) {
    if (m.name == name) return m.mode;
  }
  return absl::InvalidArgumentError(absl::StrCat("mode=", name, ", expected strict, present or all"));
}

absl::Status RunScoring(const ScoreRunOptions& options, FILE* out) {
  ASSIGN_OR_RETURN(const Transcripts reference, ReadTranscripts(options.reference));
  ASSIGN_OR_RETURN(const Transcripts hypothesis, ReadTranscripts(options.hypothesis));
  if (reference.size() == 0) return LineError(reference.name(), 1, "at least one utterance", "none");
  const Texts references = reference.texts(), hypotheses = hypothesis.texts();
  std::vector<std::string> unknown;
  const bool strict = options.mode == MissingHypothesis::kStrict;
  RETURN_IF_ERROR(CompareIds(reference, references, hypothesis, hypotheses, strict, &unknown));
  ASSIGN_OR_RETURN(const ErrorRate rate, ScoreTexts(references, hypotheses, options.mode));
  if (!options.json.empty()) {
    const std::string json = Json(options, rate, unknown);
    RETURN_IF_ERROR(WriteFileAtomically(UserPath(options.json), {json}));
  }
  Print(options, rate, out);
  if (!unknown.empty()) {
    ReportWarning(absl::StrCat(options.hypothesis, ": ", unknown.size(),
                               " hypotheses have no reference and are left out, the first is ",
                               Quoted(unknown.front())));
  }
  if (std::fflush(out) != 0 || std::ferror(out)) return absl::UnavailableError("cannot write the results to stdout");
  return absl::OkStatus();
}

}  // namespace earshot
