#include "asr/decode_run.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "asr/recogniser.h"
#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "data/audio_file.h"
#include "data/file_dataset.h"

namespace earshot {
namespace {

constexpr const char* kExtensions[] = {".wav", ".flac", ".aiff", ".aif", ".sph"};

bool HasAudioExtension(absl::string_view name) {
  const std::string lower = absl::AsciiStrToLower(name);
  for (const char* extension : kExtensions) {
    if (absl::EndsWith(lower, extension)) return true;
  }
  return false;
}

std::string Id(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return HasAudioExtension(name) ? name.substr(0, name.rfind('.')) : name;
}

// Files as they are, directories as the audio files in them.
absl::StatusOr<std::vector<std::string>> ExpandInputs(const std::vector<std::string>& inputs) {
  std::vector<std::string> paths;
  for (const std::string& input : inputs) {
    const std::string path = UserPath(input);
    if (!IsDirectory(path)) {
      paths.push_back(path);
      continue;
    }
    ASSIGN_OR_RETURN(const std::vector<std::string> names, ListFiles(path));
    const size_t before = paths.size();
    for (const std::string& name : names) {
      if (HasAudioExtension(name)) paths.push_back(absl::StrCat(path, "/", name));
    }
    if (paths.size() == before) {
      return absl::NotFoundError(absl::StrCat(path, ": no file *.wav, *.flac, *.aiff, *.aif or *.sph in it"));
    }
  }
  return paths;
}

absl::Status DecodeFile(const DecodeRunOptions& options, const std::string& path, Recogniser* recogniser, FILE* out) {
  ASSIGN_OR_RETURN(const Audio audio, ReadAudio(path));
  Utterance utterance;
  utterance.id = Id(path);
  utterance.sample_rate = audio.sample_rate;
  utterance.waveform = audio.waveform;
  ASSIGN_OR_RETURN(const Recogniser::Result result, recogniser->Recognise(utterance));
  if (result.frames == 0) std::fprintf(stderr, "%s: shorter than one window, empty text\n", path.c_str());
  if (options.json) {
    absl::FPrintF(out, "{\"id\": %s, \"text\": %s, \"seconds\": %.3f, \"confidence\": %.4f}\n",
                  JsonString(utterance.id), JsonString(result.text),
                  static_cast<double>(audio.waveform.size()) / audio.sample_rate, result.confidence);
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
  ASSIGN_OR_RETURN(const std::vector<std::string> paths, ExpandInputs(options.inputs));
  int failed = 0;
  for (const std::string& path : paths) {
    const absl::Status status = DecodeFile(options, path, recogniser.get(), out);
    if (status.ok()) continue;
    ++failed;
    std::fprintf(stderr, "error: %s\n", std::string(status.message()).c_str());
  }
  if (std::fflush(out) != 0 || std::ferror(out)) return absl::UnavailableError("cannot write the results to stdout");
  if (failed == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(failed, " of ", paths.size(), " inputs could not be decoded"));
}

}  // namespace earshot
