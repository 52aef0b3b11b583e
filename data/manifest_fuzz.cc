// Manifests of any kind, plain or packed, recognised by their content.
#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "data/lhotse_manifest.h"
#include "data/manifest.h"
#include "data/nemo_manifest.h"
#include "data/tsv_manifest.h"

namespace earshot {
namespace {

// The other file of Lhotse's pairs.
constexpr absl::string_view kRecordings =
    R"({"id": "a", "sources": [{"type": "file", "channels": [0], "source": "a.wav"}], "sampling_rate": 16000, )"
    R"("num_samples": 16000, "duration": 1.0, "channel_ids": [0]})";
constexpr absl::string_view kSupervisions =
    R"({"id": "u1", "recording_id": "a", "start": 0, "duration": 1.0, "channel": 0, "text": "one"})";

absl::StatusOr<Manifest> Parse(absl::string_view content, absl::string_view name, const ManifestOptions& options) {
  ASSIGN_OR_RETURN(const ManifestKind kind, RecognizeManifest(content, name));
  switch (kind) {
    case ManifestKind::kNemo:
      return ParseNemoManifest(content, name, options);
    case ManifestKind::kTsv:
      return ParseTsvManifest(content, name, options);
    case ManifestKind::kLhotseCuts:
      return ParseLhotseCuts(content, name, options);
    case ManifestKind::kLhotseRecordings: {
      ASSIGN_OR_RETURN(const LhotseRecordings recordings, LhotseRecordings::Parse(content, name));
      return ParseLhotseSupervisions(kSupervisions, name, recordings, options);
    }
    default: {
      ASSIGN_OR_RETURN(const LhotseRecordings recordings, LhotseRecordings::Parse(kRecordings, name));
      return ParseLhotseSupervisions(content, name, recordings, options);
    }
  }
}

absl::Status Read(absl::string_view content, absl::string_view name) {
  ManifestOptions options;
  options.allow_commands = content.size() % 2 == 0;
  ASSIGN_OR_RETURN(const Manifest manifest, Parse(content, name, options));
  CHECK(!manifest.utterances.empty());
  for (const UtteranceSource& utterance : manifest.utterances) {
    CHECK(!utterance.id.empty() && utterance.id.find_first_of(" \t\r\n") == std::string::npos) << utterance.id;
    CHECK(!absl::StrContains(utterance.text, "  ") && !absl::StrContains(utterance.text, "\n")) << utterance.text;
    CHECK(!utterance.audio.empty());
    CHECK(utterance.begin_seconds >= 0);
    CHECK(utterance.end_seconds == -1 || utterance.end_seconds > utterance.begin_seconds) << utterance.end_seconds;
    CHECK(options.allow_commands || !utterance.audio_is_command);
  }
  for (const std::string& warning : manifest.warnings) {
    CHECK(std::all_of(warning.begin(), warning.end(), absl::ascii_isprint)) << warning;
  }
  return absl::OkStatus();
}

}  // namespace

const ReaderUnderTest kReaderUnderTest = {Read, 0.3};

}  // namespace earshot
