#include "asr/decode_run.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "asr/recogniser.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "data/file_dataset.h"
#include "data/input_list.h"

namespace earshot {
namespace {

absl::Status DecodeUtterance(const DecodeRunOptions& options, const FileDataset& dataset, int64_t i,
                             Recogniser* recogniser, FILE* out) {
  ASSIGN_OR_RETURN(const Utterance utterance, dataset.Get(i));
  const UtteranceSource& source = dataset.sources()[i];
  const absl::StatusOr<Recogniser::Result> recognised = recogniser->Recognise(utterance);
  RETURN_IF_ERROR(Annotate(recognised.status(), source.features.empty() ? source.audio : source.features));
  const Recogniser::Result& result = *recognised;
  if (result.frames == 0) {
    ReportWarning(
        absl::StrCat(source.audio == "-" ? "standard input" : source.audio, ": shorter than one window, empty text"));
  }
  if (options.json) {
    const double seconds = utterance.feature_dims == 0
                               ? static_cast<double>(utterance.waveform.size()) / utterance.sample_rate
                               : result.frames * recogniser->config().features().frame_shift_ms() / 1000;
    absl::FPrintF(out, "{\"id\": %s, \"text\": %s, \"seconds\": %.3f, \"confidence\": %.4f}\n",
                  JsonString(utterance.id), JsonString(result.text), seconds, result.confidence);
  } else {
    absl::FPrintF(out, "%s\t%s\n", utterance.id, result.text);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunDecoding(const DecodeRunOptions& options, FILE* out) {
  ThreadPool pool(options.threads > 0 ? options.threads : AvailableCpus());
  ASSIGN_OR_RETURN(const std::unique_ptr<Recogniser> recogniser,
                   Recogniser::Load(UserPath(options.model), options.lstm, &pool));
  InputOptions input_options;
  input_options.allow_commands = options.allow_commands;
  InputList list = ListInputs(options.inputs, input_options);
  for (const std::string& warning : list.warnings) ReportWarning(warning);
  for (const absl::Status& error : list.errors) ReportError(1, error.message());
  const FileDataset dataset(std::move(list.utterances));
  const int64_t unlisted = static_cast<int64_t>(list.errors.size());
  int64_t failed = unlisted;
  for (int64_t i = 0; i < dataset.size(); ++i) {
    const absl::Status status = DecodeUtterance(options, dataset, i, recogniser.get(), out);
    if (status.ok()) continue;
    ++failed;
    ReportError(1, status.message());
  }
  if (std::fflush(out) != 0 || std::ferror(out)) return absl::UnavailableError("cannot write the results to stdout");
  if (failed == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(failed, " of ", unlisted + dataset.size(), " inputs could not be decoded"));
}

}  // namespace earshot
