#include "data/input_list.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/file.h"
#include "base/input_file.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/feature_file.h"
#include "data/gunzip.h"
#include "data/htk_file.h"
#include "data/kaldi_dir.h"
#include "data/kaldi_entries.h"
#include "data/kaldi_location.h"
#include "data/kaldi_matrix.h"
#include "data/kaldi_text.h"
#include "data/limits.h"
#include "data/manifest.h"
#include "data/npy.h"
#include "data/unique_ids.h"

namespace earshot {
namespace {

constexpr int64_t kBytesJudged = 4096;
constexpr const char* kAudioExtensions[] = {".wav", ".flac", ".aiff", ".aif", ".aifc", ".sph", ".nist"};
constexpr absl::string_view kAudioMagics[] = {"RIFF", "RIFX", "RF64", "BW64", "FORM", "NIST", "fLaC"};

bool HasAudioExtension(absl::string_view name) {
  const std::string lower = absl::AsciiStrToLower(name);
  return std::any_of(std::begin(kAudioExtensions), std::end(kAudioExtensions),
                     [&](const char* extension) { return absl::EndsWith(lower, extension); });
}

bool HasAudioMagic(absl::string_view head) {
  return std::any_of(std::begin(kAudioMagics), std::end(kAudioMagics),
                     [&](absl::string_view magic) { return absl::StartsWith(head, magic); });
}

// The start of one matrix as Kaldi writes it in text.
bool IsTextMatrix(absl::string_view head) {
  head = absl::StripLeadingAsciiWhitespace(head);
  if (!absl::ConsumePrefix(&head, "[")) return false;
  const absl::string_view rest = head.substr(FindKaldiTextEnd(head, 0));
  return rest.empty() || rest.front() == ']';
}

UtteranceSource Recording(const std::string& path) {
  UtteranceSource source;
  source.audio = path;
  source.id = IdFromAudio(source);
  return source;
}

UtteranceSource Features(const std::string& path) {
  UtteranceSource source = Recording(path);
  std::swap(source.audio, source.features);
  return source;
}

absl::Status Append(std::vector<UtteranceSource> utterances, std::vector<std::string> warnings, InputList* list) {
  std::move(utterances.begin(), utterances.end(), std::back_inserter(list->utterances));
  std::move(warnings.begin(), warnings.end(), std::back_inserter(list->warnings));
  return absl::OkStatus();
}

absl::Status AddFolder(const std::string& path, const InputOptions& options, InputList* list) {
  if (LooksLikeKaldiDirectory(path)) {
    KaldiOptions kaldi;
    kaldi.allow_commands = options.allow_commands;
    ASSIGN_OR_RETURN(KaldiDirectory directory, ReadKaldiDirectory(path, kaldi));
    return Append(std::move(directory.utterances), std::move(directory.warnings), list);
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListFiles(path));
  const size_t before = list->utterances.size();
  for (const std::string& name : names) {
    const std::string file = absl::StrCat(path, absl::EndsWith(path, "/") ? "" : "/", name);
    if (HasAudioExtension(name)) list->utterances.push_back(Recording(file));
    if (HasHtkExtension(name) || absl::EndsWith(name, ".npy")) list->utterances.push_back(Features(file));
  }
  if (list->utterances.size() > before) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat(path,
                                          ": no recording (*.wav, *.flac, *.aif*, *.sph, *.nist), no features (*.npy, "
                                          "*.htk) and no Kaldi data directory (wav.scp or feats.scp) in it"));
}

// Whether the bytes that a location of an scp points at are audio. A location that cannot be opened tells by its name.
bool IsAudio(const std::string& location) {
  const absl::StatusOr<KaldiLocation> parsed = ParseKaldiLocation(location);
  const std::string path = parsed.ok() ? parsed->path : location;
  const int64_t offset = parsed.ok() ? std::max<int64_t>(parsed->offset, 0) : 0;
  const absl::StatusOr<std::unique_ptr<InputFile>> file = InputFile::Open(path);
  char magic[4];
  if (!file.ok() || offset > (*file)->size() - 4 || !(*file)->Read(offset, 4, magic).ok()) {
    return HasAudioExtension(path);
  }
  return HasAudioMagic(absl::string_view(magic, 4));
}

absl::Status AddScp(const std::string& path, const InputOptions& options, InputList* list) {
  ASSIGN_OR_RETURN(const std::string content, ReadFile(path, kMaxListBytes));
  ASSIGN_OR_RETURN(const KaldiTextFile scp, KaldiTextFile::Parse(content, path, {}, &list->warnings));
  std::vector<UtteranceSource> sources(scp.size());
  for (int64_t i = 0; i < scp.size(); ++i) {
    sources[i].id = std::string(scp.id(i));
    RETURN_IF_ERROR(ParseScpEntry(scp, i, options.allow_commands, &sources[i].audio, &sources[i].audio_is_command));
  }
  ResolveKaldiPaths(DirectoryOf(path), &sources);
  if (!sources.empty() && !sources[0].audio_is_command && !IsAudio(sources[0].audio)) {
    for (UtteranceSource& source : sources) {
      std::swap(source.audio, source.features);
      std::swap(source.audio_is_command, source.features_is_command);
    }
  }
  return Append(std::move(sources), {}, list);
}

absl::Status AddManifest(const std::string& path, const InputOptions& options, InputList* list) {
  ManifestOptions manifest_options;
  manifest_options.allow_commands = options.allow_commands;
  ASSIGN_OR_RETURN(Manifest manifest, ReadManifest(path, manifest_options));
  return Append(std::move(manifest.utterances), std::move(manifest.warnings), list);
}

// What a file is, from its beginning: kRecording also for what is nothing known, so that the audio reader names it.
enum class Kind { kRecording, kFeatures, kManifest, kScp };

absl::StatusOr<Kind> Recognize(const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<InputFile> file, InputFile::Open(path));
  std::string head(std::min(file->size(), kBytesJudged), '\0');
  RETURN_IF_ERROR(file->Read(0, head.size(), &head[0]));
  if (HasAudioMagic(head) || HasAudioExtension(path)) return Kind::kRecording;
  if (HasHtkExtension(path) || LooksLikeHtk(head, file->size())) return Kind::kFeatures;
  const absl::string_view kaldi("\0B", 2);
  if (LooksLikeNpy(head) || absl::StartsWith(head, kaldi) || IsTextMatrix(head)) return Kind::kFeatures;
  if (head.find(absl::StrCat(" ", kaldi)) < kMaxIdBytes) {
    return ByteError(path, 0, absl::StrCat("a list, a recording or features"),
                     absl::StrCat("a Kaldi archive: name its scp, or ark:", path, " for //asr:features"));
  }
  if (RecognizeManifest(head, path).ok() || absl::StartsWith(head, "{") || absl::StartsWith(head, "[") ||
      LooksLikeGzip(head)) {
    return Kind::kManifest;
  }
  const bool is_text = head.find('\0') == std::string::npos && head.find_first_of(" \t") != std::string::npos;
  return is_text ? Kind::kScp : Kind::kRecording;
}

absl::Status AddInput(const std::string& path, const InputOptions& options, InputList* list) {
  if (IsDirectory(path)) return AddFolder(path, options, list);
  ASSIGN_OR_RETURN(const Kind kind, Recognize(path));
  if (kind == Kind::kManifest) return AddManifest(path, options, list);
  if (kind == Kind::kScp) return AddScp(path, options, list);
  list->utterances.push_back(kind == Kind::kFeatures ? Features(path) : Recording(path));
  return absl::OkStatus();
}

}  // namespace

InputList ListInputs(const std::vector<std::string>& inputs, const InputOptions& options) {
  InputList list;
  for (const std::string& input : inputs) {
    if (input == "-") {
      list.utterances.emplace_back();
      list.utterances.back().id = "stdin";
      list.utterances.back().audio = "-";
      continue;
    }
    const absl::Status status = AddInput(UserPath(input), options, &list);
    if (!status.ok()) list.errors.push_back(status);
  }
  return list;
}

}  // namespace earshot
