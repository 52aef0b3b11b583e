// //data:convert: lists of utterances of any kind into any kind. See --help and README.md.
#include <gflags/gflags.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/command_line.h"
#include "base/program.h"
#include "data/convert.h"

DEFINE_string(to, "", "kind of the output: kaldi, nemo, lhotse, lhotse-cuts or tsv");
DEFINE_bool(allow_commands, false, "take over shell commands of the input's lists; none is run here");

namespace {

int Run(const earshot::ConvertOptions& options) {
  const absl::StatusOr<earshot::Conversion> conversion = earshot::Convert(options);
  if (!conversion.ok()) return earshot::ReportError(earshot::kFailure, conversion.status().message());
  for (const std::string& warning : conversion->warnings) earshot::ReportWarning(warning);
  for (const earshot::ConvertedList& list : conversion->lists) {
    std::printf("%s: %lld utterances from %s to %s\n", earshot::OneLine(list.path).c_str(),
                static_cast<long long>(list.utterances), conversion->from.c_str(), options.to.c_str());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return earshot::ReportError(earshot::kFailure, "cannot write to stdout");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string usage =
      "converts lists of utterances.\n  bazel run //data:convert -- --to=KIND INPUT OUTPUT\nINPUT: a corpus (a folder "
      "of AN4, FSDD, Kaldi data directories or manifests), or one Kaldi data directory or manifest (NeMo or WeNet "
      "JSONL, Lhotse JSONL, TSV; also packed with gzip), recognised by its content.\nOUTPUT: for a corpus a folder, "
      "which gets its parts train, dev and test; for one list a Kaldi data directory or a file, packed if its name "
      "ends in .gz (lhotse: a name with the word supervisions, or recordings; the other file is written beside it). "
      "Nothing is overwritten. Recordings stay where they are; their paths become absolute.\nExit codes: "
      "0 done, 1 failure, 2 usage.";
  std::vector<std::string> arguments;
  const absl::optional<int> done = earshot::StartProgram(argc, argv, usage, "convert_main", &arguments);
  if (done.has_value()) return *done;
  const auto kinds = earshot::ListKinds();
  if (std::find(kinds.begin(), kinds.end(), FLAGS_to) == kinds.end()) {
    return earshot::ReportError(earshot::kUsage,
                                absl::StrCat(FLAGS_to.empty() ? "--to is missing" : "flag --to=", FLAGS_to,
                                             ", expected one of ", absl::StrJoin(kinds, ", ")));
  }
  if (arguments.size() != 2) {
    return earshot::ReportError(earshot::kUsage,
                                absl::StrCat(arguments.size(), " arguments, expected INPUT and OUTPUT"));
  }
  earshot::ConvertOptions options;
  options.to = FLAGS_to;
  options.input = arguments[0];
  options.output = arguments[1];
  options.allow_commands = FLAGS_allow_commands;
  return Run(options);
}
