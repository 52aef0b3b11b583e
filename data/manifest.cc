#include "data/manifest.h"

#include <memory>
#include <unordered_map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "base/file.h"
#include "base/json_cursor.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/lhotse_manifest.h"
#include "data/line_reader.h"
#include "data/nemo_manifest.h"
#include "data/tsv_manifest.h"

namespace earshot {
namespace {

constexpr char kKnownKinds[] =
    "JSONL of NeMo (\"audio_filepath\"), WeNet (\"wav\") or Lhotse (\"sources\", \"recording_id\" or "
    "\"supervisions\"), "
    "or a TSV header with a column \"audio\" or \"path\"";

std::string Folder(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// The kind that the first object of a JSONL file shows.
absl::StatusOr<ManifestKind> RecognizeObject(absl::string_view line, const LineReader& lines) {
  const std::string place = lines.Place();
  JsonCursor cursor(line, 0, line.size(), place);
  bool audio = false, sources = false, recording_id = false, cut = false;
  std::vector<std::string> keys;
  RETURN_IF_ERROR(cursor.Object([&](std::string key, int64_t) -> absl::Status {
    audio |= IsNemoAudioField(key);
    sources |= key == "sources";
    recording_id |= key == "recording_id";
    cut |= key == "supervisions" || key == "tracks";
    if (keys.size() < 5) keys.push_back(Quoted(key));
    if (key != "type" || cursor.Peek() != '"') return cursor.Skip();
    std::string type;
    RETURN_IF_ERROR(cursor.String(&type));
    cut |= absl::EndsWith(type, "Cut");
    return absl::OkStatus();
  }));
  if (sources) return ManifestKind::kLhotseRecordings;
  if (cut) return ManifestKind::kLhotseCuts;
  if (recording_id) return ManifestKind::kLhotseSupervisions;
  if (audio) return ManifestKind::kNemo;
  return lines.Error(kKnownKinds, absl::StrCat("an object of ", keys.empty() ? "nothing" : absl::StrJoin(keys, ", ")));
}

absl::StatusOr<ManifestKind> RecognizeLines(LineReader* lines) {
  absl::string_view line;
  ASSIGN_OR_RETURN(const bool more, lines->Next(&line));
  if (!more) return LineError(lines->name(), 1, kKnownKinds, "nothing");
  const absl::string_view start = absl::StripLeadingAsciiWhitespace(line);
  if (absl::StartsWith(start, "{")) return RecognizeObject(line, *lines);
  if (absl::StartsWith(start, "[")) return lines->Error("JSONL, one object a line", "an array of JSON");
  if (IsTsvHeader(line)) return ManifestKind::kTsv;
  return lines->Error(kKnownKinds, Quoted(line));
}

// Where relative paths of audio start, folder by folder.
class PathResolver {
 public:
  PathResolver(const std::string& manifest_path, bool common_voice) : base_(Folder(manifest_path)) {
    if (common_voice && IsDirectory(base_ + "clips")) base_ += "clips/";
  }

  std::string Resolve(const std::string& path) {
    if (absl::StartsWith(path, "/")) return path;
    const auto [at, is_new] = from_user_.emplace(Folder(path), false);
    if (is_new) at->second = !IsRegularFile(base_ + path) && IsRegularFile(UserPath(path));
    return at->second ? UserPath(path) : base_ + path;
  }

 private:
  std::string base_;
  std::unordered_map<std::string, bool> from_user_;  // by the folder of a path
};

absl::StatusOr<Manifest> ReadLhotsePair(const std::string& path, ManifestKind kind, const ManifestOptions& options) {
  const std::string partner = LhotsePartner(path, kind);
  const bool is_recordings = kind == ManifestKind::kLhotseRecordings;
  if (partner.empty()) {
    return LineError(
        path, 1, absl::StrCat(is_recordings ? "supervisions" : "recordings", " in a file beside it"),
        absl::StrCat("none with that word in place of \"", is_recordings ? "recordings" : "supervisions", "\""));
  }
  ASSIGN_OR_RETURN(std::unique_ptr<LineReader> lines, LineReader::Open(is_recordings ? path : partner));
  ASSIGN_OR_RETURN(const LhotseRecordings recordings, LhotseRecordings::Parse(lines.get()));
  ASSIGN_OR_RETURN(lines, LineReader::Open(is_recordings ? partner : path));
  return ParseLhotseSupervisions(lines.get(), recordings, options);
}

absl::StatusOr<Manifest> ParseManifest(ManifestKind kind, const std::string& path, const ManifestOptions& options) {
  if (kind == ManifestKind::kLhotseRecordings || kind == ManifestKind::kLhotseSupervisions) {
    return ReadLhotsePair(path, kind, options);
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<LineReader> lines, LineReader::Open(path));
  if (kind == ManifestKind::kNemo) return ParseNemoManifest(lines.get(), options);
  if (kind == ManifestKind::kTsv) return ParseTsvManifest(lines.get(), options);
  return ParseLhotseCuts(lines.get(), options);
}

}  // namespace

absl::StatusOr<ManifestKind> RecognizeManifest(absl::string_view content, absl::string_view name) {
  LineReader lines(content, name);
  return RecognizeLines(&lines);
}

absl::StatusOr<ManifestKind> RecognizeManifestFile(const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<LineReader> lines, LineReader::Open(path));
  return RecognizeLines(lines.get());
}

std::string LhotsePartnerName(const std::string& path, ManifestKind kind) {
  const bool is_recordings = kind == ManifestKind::kLhotseRecordings;
  const std::string from = is_recordings ? "recordings" : "supervisions";
  const size_t at = path.rfind(from);
  if (at == std::string::npos || at < Folder(path).size()) return "";
  return absl::StrCat(path.substr(0, at), is_recordings ? "supervisions" : "recordings", path.substr(at + from.size()));
}

std::string LhotsePartner(const std::string& path, ManifestKind kind) {
  std::string partner = LhotsePartnerName(path, kind);
  if (partner.empty() || IsRegularFile(partner)) return partner;
  partner = absl::EndsWith(partner, ".gz") ? partner.substr(0, partner.size() - 3) : partner + ".gz";
  return IsRegularFile(partner) ? partner : "";
}

absl::StatusOr<Manifest> ReadManifest(const std::string& path, const ManifestOptions& options) {
  ASSIGN_OR_RETURN(const ManifestKind kind, RecognizeManifestFile(path));
  ASSIGN_OR_RETURN(Manifest manifest, ParseManifest(kind, path, options));
  PathResolver resolver(path, manifest.is_common_voice);
  for (UtteranceSource& source : manifest.utterances) {
    if (!source.audio_is_command) source.audio = resolver.Resolve(source.audio);
  }
  return manifest;
}

}  // namespace earshot
