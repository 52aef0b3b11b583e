// The files of a directory in one text, each after a line "@NAME".
#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/testing/reader_under_test.h"
#include "data/kaldi_dir.h"
#include "data/kaldi_text.h"

namespace earshot {
namespace {

KaldiFiles Split(absl::string_view content) {
  KaldiFiles files;
  const struct {
    absl::string_view heading;
    absl::optional<std::string>* file;
  } kParts[] = {{"@wav.scp\n", &files.wav_scp},     {"@segments\n", &files.segments}, {"@text\n", &files.text},
                {"@utt2spk\n", &files.utt2spk},     {"@spk2utt\n", &files.spk2utt},   {"@utt2dur\n", &files.utt2dur},
                {"@feats.scp\n", &files.feats_scp}, {"@cmvn.scp\n", &files.cmvn_scp}};
  absl::optional<std::string>* file = nullptr;
  while (!content.empty()) {
    const size_t end = content.find('\n');
    const absl::string_view line = content.substr(0, end == absl::string_view::npos ? end : end + 1);
    content.remove_prefix(line.size());
    const auto* part =
        std::find_if(std::begin(kParts), std::end(kParts), [&](const auto& p) { return p.heading == line; });
    if (part != std::end(kParts)) {
      file = part->file;
      *file = "";
    } else if (file != nullptr) {
      absl::StrAppend(&**file, line);
    }
  }
  return files;
}

absl::Status Read(absl::string_view content, absl::string_view name) {
  KaldiOptions options;
  options.allow_commands = absl::StrContains(content, "sph2pipe");
  const auto directory = ParseKaldiDirectory(Split(content), std::string(name), options);
  if (directory.ok()) {
    CHECK(!directory->utterances.empty());
    std::string last;
    for (const UtteranceSource& utterance : directory->utterances) {
      CHECK(last < utterance.id) << utterance.id;
      last = utterance.id;
      CHECK(IdProblem(utterance.id).empty()) << utterance.id;
      CHECK(utterance.speaker.empty() || IdProblem(utterance.speaker).empty()) << utterance.speaker;
      CHECK(utterance.recording.empty() || IdProblem(utterance.recording).empty()) << utterance.recording;
      CHECK(!utterance.audio.empty() || !utterance.features.empty());
      CHECK(utterance.begin_seconds >= 0 &&
            (utterance.end_seconds == -1 || utterance.end_seconds > utterance.begin_seconds));
      CHECK(utterance.channel >= -1 && (utterance.duration_seconds == -1 || utterance.duration_seconds > 0));
      CHECK(options.allow_commands || (!utterance.audio_is_command && !utterance.features_is_command));
      CHECK(utterance.text == SingleSpaces(utterance.text)) << utterance.text;
    }
    for (const std::string& warning : directory->warnings) {
      CHECK(std::all_of(warning.begin(), warning.end(), absl::ascii_isprint)) << warning;
    }
    return absl::OkStatus();
  }
  // "NAME/FILE:LINE: ...", or "NAME: ..." of the directory as a whole.
  absl::string_view rest = directory.status().message();
  CHECK(absl::StartsWith(rest, name)) << rest;
  rest.remove_prefix(name.size());
  if (absl::StartsWith(rest, "/")) return absl::InvalidArgumentError(absl::StrCat(name, rest.substr(rest.find(':'))));
  return absl::InvalidArgumentError(absl::StrCat(name, ":1", rest));
}

}  // namespace

const ReaderUnderTest kReaderUnderTest = {Read, 0.4};

}  // namespace earshot
