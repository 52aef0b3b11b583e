#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/check.h"
#include "base/testing/reader_under_test.h"
#include "data/kaldi_dir.h"
#include "data/kaldi_text.h"

namespace earshot {
namespace {

// The files of a directory in one: each behind a line "== NAME".
KaldiFiles Split(absl::string_view content) {
  KaldiFiles files;
  const std::map<absl::string_view, absl::optional<std::string>*> by_name = {
      {"wav.scp", &files.wav_scp},     {"segments", &files.segments}, {"text", &files.text},
      {"utt2spk", &files.utt2spk},     {"spk2utt", &files.spk2utt},   {"utt2dur", &files.utt2dur},
      {"feats.scp", &files.feats_scp}, {"cmvn.scp", &files.cmvn_scp}};
  for (absl::string_view part : absl::StrSplit(content, "== ")) {
    const size_t end = part.find('\n');
    const auto file = by_name.find(part.substr(0, end));
    if (end != absl::string_view::npos && file != by_name.end()) *file->second = std::string(part.substr(end + 1));
  }
  return files;
}

// What is wrong with a file is said as of NAME/FILE, what is wrong with the directory without a line.
absl::Status AsOneFile(const absl::Status& status, absl::string_view name) {
  absl::string_view rest = status.message();
  CHECK(absl::ConsumePrefix(&rest, name)) << rest;
  if (absl::ConsumePrefix(&rest, "/")) {
    const size_t colon = rest.find(':');
    CHECK(colon != absl::string_view::npos) << rest;
    return absl::Status(status.code(), absl::StrCat(name, rest.substr(colon)));
  }
  CHECK(absl::ConsumePrefix(&rest, ": expected ")) << rest;
  return absl::Status(status.code(), absl::StrCat(name, ":1: expected ", rest));
}

absl::Status Read(absl::string_view content, absl::string_view name) {
  const auto directory = ParseKaldiDirectory(Split(content), std::string(name));
  if (!directory.ok()) return AsOneFile(directory.status(), name);
  CHECK(!directory->utterances.empty());
  std::string last;
  for (const UtteranceSource& source : directory->utterances) {
    CHECK(last < source.id) << source.id;
    last = source.id;
    for (const std::string* id : {&source.id, &source.speaker, &source.recording}) {
      CHECK(id == &source.id || id->empty() || IdProblem(*id).empty()) << *id;
    }
    CHECK(IdProblem(source.id).empty()) << source.id;
    CHECK(!source.audio.empty() || !source.features.empty());
    CHECK(!source.audio_is_command && !source.features_is_command);
    CHECK(source.begin_seconds >= 0 && std::isfinite(source.begin_seconds));
    CHECK(source.end_seconds == -1 || source.end_seconds > source.begin_seconds);
    CHECK(source.channel >= -1);
    CHECK(source.duration_seconds == -1 || source.duration_seconds > 0);
    CHECK(!absl::StartsWith(source.text, " ") && !absl::EndsWith(source.text, " ") &&
          !absl::StrContains(source.text, "  "));
  }
  for (const std::string& warning : directory->warnings) CHECK(absl::StartsWith(warning, name)) << warning;
  return absl::OkStatus();
}

}  // namespace

const ReaderUnderTest kReaderUnderTest = {Read, 0.3};

}  // namespace earshot
