// //asr:decode: audio files to text with a trained model. See --help and README.md.
#include <gflags/gflags.h>

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "asr/decode_run.h"
#include "base/command_line.h"
#include "base/program.h"

DEFINE_string(model, "", "checkpoint of //asr:train, e.g. exp/digits/best.safetensors");
DEFINE_string(lstm, "", "LSTM implementation. Empty: the one that the model was trained with");
DEFINE_bool(json, false, "one JSON object a line: id, text, seconds of audio, confidence");
DEFINE_bool(allow_commands, false, "run the shell commands that lists have in place of files");
DEFINE_int32(threads, 0, "threads; 0: all that this process may use");

int main(int argc, char** argv) {
  using earshot::kFailure;
  using earshot::kUsage;
  using earshot::ReportError;
  const std::string usage =
      "turns speech into text.\n  bazel run //asr:decode -- --model=FILE INPUT...\nINPUT: a recording (WAV, FLAC, "
      "AIFF, SPHERE), a directory (Kaldi's, else of recordings), an scp file, a manifest (NeMo, Lhotse, TSV), "
      "features for a model of features, or - for a recording on standard input.\nstdout: id<TAB>text, one line an "
      "utterance.\nExit codes: 0 done, 1 failure (also when some inputs could not be read; the others are "
      "decoded), 2 usage.";
  std::vector<std::string> inputs;
  const absl::optional<int> done = earshot::StartProgram(argc, argv, usage, "decode_main", &inputs);
  if (done.has_value()) return *done;
  if (FLAGS_model.empty()) return ReportError(kUsage, "--model is missing");
  if (inputs.empty()) return ReportError(kUsage, "no input, expected recordings, directories or lists");
  const absl::Status threads = earshot::CheckThreads(FLAGS_threads);
  if (!threads.ok()) return ReportError(kUsage, threads.message());
  earshot::DecodeRunOptions options;
  options.model = FLAGS_model;
  options.lstm = FLAGS_lstm;
  options.json = FLAGS_json;
  options.threads = FLAGS_threads;
  options.allow_commands = FLAGS_allow_commands;
  options.inputs = inputs;
  const absl::Status status = earshot::RunDecoding(options, stdout);
  return status.ok() ? 0 : ReportError(kFailure, status.message());
}
