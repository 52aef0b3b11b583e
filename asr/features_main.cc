// //asr:features: recordings to features. See --help and README.md.
#include <gflags/gflags.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "asr/features_run.h"
#include "base/command_line.h"
#include "base/program.h"

DEFINE_string(config, "", "FeatureConfig as .textproto (data/data.proto). Empty: 123 dimensions at 16 kHz");
DEFINE_string(set, "", "textproto merged over it, e.g. --set='sample_rate: 8000 num_mel_bins: 23'. May be repeated");
DEFINE_string(
    out, "",
    "FILE.npy or FILE.htk for one utterance; npy:FOLDER or htk:FOLDER, one file each; ark:FILE, ark,t:FILE (text), "
    "ark,scp:FILE,FILE; kaldi:FOLDER, a Kaldi data directory");
DEFINE_string(compress, "", "cm, cm2 or cm3: Kaldi's compression of a binary archive, which loses precision");
DEFINE_bool(allow_commands, false, "run the shell commands that lists have in place of files");
DEFINE_int32(threads, 0, "threads; 0: all that this process may use");

int main(int argc, char** argv) {
  using earshot::kFailure;
  using earshot::kUsage;
  using earshot::ReportError;
  const std::string usage =
      "makes features of recordings, or rewrites ready ones in another format.\n  bazel run //asr:features -- "
      "--out=OUT INPUT...\nINPUT: a recording (WAV, FLAC, AIFF, SPHERE), features (.npy, HTK, a Kaldi matrix), a "
      "directory (Kaldi's, else of recordings and features), an scp file, a manifest (NeMo, Lhotse, TSV), a table "
      "(ark:FILE, scp:FILE, or scp,p:FILE, which skips entries that cannot be read), - for a recording on standard "
      "input, or a corpus (FSDD, AN4, Kaldi, manifests), alone and with --out=kaldi:FOLDER for one data directory a "
      "part.\nThe features are not normalised: training does that. HTK files made of recordings have the energy, or "
      "c0, behind the other columns.\nExit codes: 0 done, 1 failure (also when some inputs could not be "
      "read; the others are written), 2 usage.";
  earshot::FeaturesRunOptions options;
  std::vector<std::string> inputs;
  const absl::optional<int> done =
      earshot::StartProgram(argc, argv, usage, "features_main", &inputs, "set", &options.sets);
  if (done.has_value()) return *done;
  if (inputs.empty()) return ReportError(kUsage, "no input, expected recordings, directories or lists");
  if (FLAGS_out.empty()) return ReportError(kUsage, "--out is missing");
  const absl::Status threads = earshot::CheckThreads(FLAGS_threads);
  if (!threads.ok()) return ReportError(kUsage, threads.message());
  options.config = FLAGS_config;
  options.inputs = inputs;
  options.out = FLAGS_out;
  options.compress = FLAGS_compress;
  options.allow_commands = FLAGS_allow_commands;
  options.threads = FLAGS_threads;
  const absl::Status status = earshot::RunFeatures(options);
  return status.ok() ? 0 : ReportError(kFailure, status.message());
}
