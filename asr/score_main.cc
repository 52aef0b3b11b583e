// //asr:score: word, character and sentence error rates. See --help and README.md.
#include <gflags/gflags.h>

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "asr/score/score_run.h"
#include "base/command_line.h"
#include "base/program.h"

DEFINE_string(ref, "", "what was said: a text (\"id words\") or trn (\"words (id)\") file");
DEFINE_string(hyp, "", "what was recognised, in either form");
DEFINE_string(mode, "strict",
              "utterances of --ref that --hyp lacks: strict: an error, as is a hypothesis without a reference; all: "
              "count their words as deletions; present: leave them out");
DEFINE_bool(cer, false, "also the line %CER: characters (Unicode code points, one space between two words)");
DEFINE_int32(worst, 0, "also the alignments of so many utterances, those with the most word errors first");
DEFINE_string(json, "", "file for the same figures as one JSON object");

int main(int argc, char** argv) {
  using earshot::kFailure;
  using earshot::kUsage;
  using earshot::ReportError;
  const std::string usage =
      "compares texts.\n  bazel run //asr:score -- --ref=FILE --hyp=FILE\nstdout: Kaldi's lines %WER, %SER and "
      "Scored.\nTexts are taken as they are: words are what stands between spaces, compared byte by byte; case, "
      "punctuation and Unicode normal forms are not touched (bring both files to one form first).\nA file is read as "
      "trn when most of its lines end in a word in parentheses.\nExit codes: 0 done, 1 failure, 2 usage.";
  const absl::optional<int> done = earshot::StartProgram(argc, argv, usage, "score_main", /*arguments=*/nullptr);
  if (done.has_value()) return *done;
  if (FLAGS_ref.empty()) return ReportError(kUsage, "--ref is missing");
  if (FLAGS_hyp.empty()) return ReportError(kUsage, "--hyp is missing");
  if (FLAGS_worst < 0) return ReportError(kUsage, absl::StrCat("flag --worst=", FLAGS_worst, ", expected at least 0"));
  const auto mode = earshot::ParseMissingHypothesis(FLAGS_mode);
  if (!mode.ok()) return ReportError(kUsage, absl::StrCat("flag --", mode.status().message()));
  earshot::ScoreRunOptions options;
  options.reference = FLAGS_ref;
  options.hypothesis = FLAGS_hyp;
  options.mode = *mode;
  options.characters = FLAGS_cer;
  options.worst = FLAGS_worst;
  options.json = FLAGS_json;
  const absl::Status status = earshot::RunScoring(options, stdout);
  return status.ok() ? 0 : ReportError(kFailure, status.message());
}
