// //asr:decode: audio files to text with a trained model. See --help and README.md.
#include <gflags/gflags.h>
#include <sys/stat.h>

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "asr/decode_run.h"

DECLARE_bool(help);
DECLARE_bool(helpshort);

DEFINE_string(model, "", "checkpoint of //asr:train, e.g. exp/digits/best.safetensors");
DEFINE_string(lstm, "", "LSTM implementation. Empty: the one that the model was trained with");
DEFINE_bool(json, false, "one JSON object a line: id, text, seconds of audio, confidence");
DEFINE_int32(threads, 0, "threads; 0: all that this process may use");

int main(int argc, char** argv) {
  gflags::SetUsageMessage(
      "turns speech into text.\n  bazel run //asr:decode -- --model=FILE INPUT...\nINPUT: an audio file (WAV, FLAC, AIFF, "
      "SPHERE) or a directory, whose audio files are taken in the order of their names.\nstdout: id<TAB>text, one line "
      "an utterance; the id is the file's name without its extension.\nExit codes: 0 done, 1 failure (also when some "
      "inputs could not be read; the others are decoded), 2 usage.");
  gflags::ParseCommandLineNonHelpFlags(&argc, &argv, true);
  if (FLAGS_help || FLAGS_helpshort) {
    gflags::ShowUsageWithFlagsRestrict(argv[0], "decode_main");
    return 0;
  }
  if (FLAGS_model.empty() || argc < 2 || FLAGS_threads < 0) {
    std::fprintf(stderr, "error: %s (--help explains the flags)\n",
                 FLAGS_model.empty() ? "--model is missing"
                 : argc < 2          ? "no input, expected audio files or directories"
                                     : "--threads is negative");
    return 2;
  }
  earshot::DecodeRunOptions options;
  options.model = FLAGS_model;
  options.lstm = FLAGS_lstm;
  options.json = FLAGS_json;
  options.threads = FLAGS_threads;
  options.inputs.assign(argv + 1, argv + argc);
  const absl::Status status = earshot::RunDecoding(options, stdout);
  if (!status.ok()) {
    std::fprintf(stderr, "error: %s\n", std::string(status.message()).c_str());
    return 1;
  }
  return 0;
}
