// //asr:decode: audio files to text with a trained model. See --help and README.md.
#include <gflags/gflags.h>

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "asr/decode_run.h"
#include "base/command_line.h"
#include "base/status_macros.h"

DECLARE_bool(help);
DECLARE_bool(helpshort);

DEFINE_string(model, "", "checkpoint of //asr:train, e.g. exp/digits/best.safetensors");
DEFINE_string(lstm, "", "LSTM implementation. Empty: the one that the model was trained with");
DEFINE_bool(json, false, "one JSON object a line: id, text, seconds of audio, confidence");
DEFINE_int32(threads, 0, "threads; 0: all that this process may use");

namespace {

constexpr int kMaxThreads = 1024;  // as TrainConfig.threads

int Fail(int code, absl::string_view message) {
  std::fprintf(stderr, "error: %s%s\n", std::string(message).c_str(), code == 2 ? " (--help explains the flags)" : "");
  return code;
}

// Sets the flags and returns the inputs. gflags' own parser leaves the program with 1.
absl::StatusOr<std::vector<std::string>> ParseFlags(int argc, char** argv) {
  const auto is_switch = [](const std::string& name) {
    gflags::CommandLineFlagInfo info;
    return gflags::GetCommandLineFlagInfo(name.c_str(), &info) && info.type == "bool";
  };
  ASSIGN_OR_RETURN(const earshot::CommandLine line, earshot::ParseCommandLine(argc, argv, is_switch));
  for (const auto& flag : line.flags) {
    if (gflags::SetCommandLineOption(flag.first.c_str(), flag.second.c_str()).empty()) {
      return absl::InvalidArgumentError(absl::StrCat("flag --", flag.first, "=", flag.second, " has no meaning"));
    }
  }
  return line.arguments;
}

}  // namespace

int main(int argc, char** argv) {
  const absl::Status streams = earshot::PrepareStandardStreams();
  if (!streams.ok()) return Fail(1, streams.message());
  const absl::StatusOr<std::vector<std::string>> inputs = ParseFlags(argc, argv);
  gflags::SetUsageMessage(
      "turns speech into text.\n  bazel run //asr:decode -- --model=FILE INPUT...\nINPUT: an audio file (WAV, FLAC, "
      "AIFF, "
      "SPHERE) or a directory, whose audio files are taken in the order of their names.\nstdout: id<TAB>text, one line "
      "an utterance; the id is the file's name without its extension.\nExit codes: 0 done, 1 failure (also when some "
      "inputs could not be read; the others are decoded), 2 usage.");
  if (FLAGS_help || FLAGS_helpshort) {
    gflags::ShowUsageWithFlagsRestrict(argv[0], "decode_main");
    return 0;
  }
  if (!inputs.ok()) return Fail(2, inputs.status().message());
  if (FLAGS_model.empty()) return Fail(2, "--model is missing");
  if (inputs->empty()) return Fail(2, "no input, expected audio files or directories");
  if (FLAGS_threads < 0 || FLAGS_threads > kMaxThreads) {
    return Fail(2, absl::StrCat("flag --threads=", FLAGS_threads, ", expected 0 to ", kMaxThreads));
  }
  earshot::DecodeRunOptions options;
  options.model = FLAGS_model;
  options.lstm = FLAGS_lstm;
  options.json = FLAGS_json;
  options.threads = FLAGS_threads;
  options.inputs = *inputs;
  const absl::Status status = earshot::RunDecoding(options, stdout);
  return status.ok() ? 0 : Fail(1, status.message());
}
