#include "data/kaldi_writer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/json.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "data/kaldi_dir.h"
#include "data/kaldi_text.h"

namespace earshot {
namespace {

bool IsPart(const UtteranceSource& source) {
  return source.begin_seconds != 0 || source.end_seconds != -1 || source.channel != -1 ||
         (!source.recording.empty() && source.recording != source.id);
}

const std::string& RecordingId(const UtteranceSource& source) {
  return source.recording.empty() ? source.id : source.recording;
}

// A value as it stands in an scp file. White space around a command (a directory's own have it before the '|') is
// nothing.
absl::StatusOr<std::string> ScpValue(const UtteranceSource& source, absl::string_view location, bool is_command) {
  const absl::string_view stripped = absl::StripAsciiWhitespace(location);
  if (is_command) location = stripped;
  if (FindUnprintable(location, false) != absl::string_view::npos || absl::StrContains(location, '\n') ||
      stripped != location || absl::EndsWith(location, "|") || (is_command && absl::StartsWith(location, "|"))) {
    return absl::InvalidArgumentError(absl::StrCat("utterance ", Quoted(source.id),
                                                   ": expected a path that a line of an scp file can hold, found ",
                                                   Quoted(location)));
  }
  if (is_command) return absl::StrCat(location, " |");
  return AbsolutePath(location);
}

// The files' contents, from sources in the order of their ids.
class Lists {
 public:
  explicit Lists(const std::vector<const UtteranceSource*>& sources) {
    for (const UtteranceSource* source : sources) {
      has_audio_ |= !source->audio.empty();
      has_features_ |= !source->features.empty();
      has_segments_ |= !source->audio.empty() && IsPart(*source);
      has_durations_ &= source->duration_seconds > 0;
    }
  }

  absl::Status Add(const UtteranceSource& source) {
    RETURN_IF_ERROR(Check(source));
    if (has_audio_) RETURN_IF_ERROR(AddRecording(source));
    if (has_features_) {
      ASSIGN_OR_RETURN(const std::string value, ScpValue(source, source.features, source.features_is_command));
      absl::StrAppend(&feats_scp_, source.id, " ", value, "\n");
    }
    absl::StrAppend(&text_, source.id, source.text.empty() ? "" : " ", source.text, "\n");
    const std::string& speaker = source.speaker.empty() ? source.id : source.speaker;
    absl::StrAppend(&utt2spk_, source.id, " ", speaker, "\n");
    absl::StrAppend(&speakers_[speaker], " ", source.id);
    if (has_durations_) absl::StrAppend(&utt2dur_, source.id, " ", JsonExactNumber(source.duration_seconds), "\n");
    return absl::OkStatus();
  }

  // wav.scp and feats.scp, by which a folder is known, come last.
  absl::Status Write(const std::string& folder) const {
    std::string wav_scp, spk2utt;
    for (const auto& recording : recordings_) absl::StrAppend(&wav_scp, recording.first, " ", recording.second, "\n");
    for (const auto& speaker : speakers_) absl::StrAppend(&spk2utt, speaker.first, speaker.second, "\n");
    const std::pair<const char*, absl::string_view> files[] = {
        {"segments", segments_}, {"text", text_},           {"utt2spk", utt2spk_}, {"spk2utt", spk2utt},
        {"utt2dur", utt2dur_},   {"feats.scp", feats_scp_}, {"wav.scp", wav_scp}};
    for (const auto& file : files) {
      const std::string path = absl::StrCat(folder, "/", file.first);
      RETURN_IF_ERROR(file.second.empty() ? RemoveFile(path) : WriteFileAtomically(path, {file.second}));
    }
    return RemoveFile(absl::StrCat(folder, "/cmvn.scp"));
  }

 private:
  absl::Status Check(const UtteranceSource& source) const {
    const auto error = [&](absl::string_view expected, absl::string_view found) {
      return absl::InvalidArgumentError(
          absl::StrCat("utterance ", Quoted(source.id), ": expected ", expected, ", found ", found));
    };
    for (const std::string* id : {&source.id, &source.speaker, &source.recording}) {
      const std::string problem = id->empty() && id != &source.id ? "" : IdProblem(*id);
      if (!problem.empty()) return error("ids that Kaldi can read", problem);
    }
    if (source.audio.empty() == has_audio_) return error("audio for all utterances or none", "it for some");
    if (source.features.empty() == has_features_) return error("features for all utterances or none", "them for some");
    if (FindUnprintable(source.text, true) != absl::string_view::npos || absl::StrContains(source.text, '\n')) {
      return error("printable text with plain spaces", Quoted(source.text));
    }
    return absl::OkStatus();
  }

  absl::Status AddRecording(const UtteranceSource& source) {
    ASSIGN_OR_RETURN(const std::string value, ScpValue(source, source.audio, source.audio_is_command));
    const std::string& recording = RecordingId(source);
    const auto known = recordings_.emplace(recording, value).first;
    if (known->second != value) {
      return absl::InvalidArgumentError(absl::StrCat("utterance ", Quoted(source.id),
                                                     ": expected one recording with the id ", Quoted(recording),
                                                     ", found ", Quoted(known->second), " and ", Quoted(value)));
    }
    if (!has_segments_) return absl::OkStatus();
    absl::StrAppend(&segments_, source.id, " ", recording, " ", JsonExactNumber(source.begin_seconds), " ",
                    JsonExactNumber(source.end_seconds));
    if (source.channel >= 0) absl::StrAppend(&segments_, " ", source.channel);
    segments_ += "\n";
    return absl::OkStatus();
  }

  bool has_audio_ = false, has_features_ = false, has_segments_ = false, has_durations_ = true;
  std::string segments_, text_, utt2spk_, utt2dur_, feats_scp_;
  std::map<std::string, std::string> recordings_, speakers_;  // by id, in the order of bytes
};

}  // namespace

absl::Status WriteKaldiDirectory(const std::string& folder, const std::vector<UtteranceSource>& sources) {
  if (sources.empty()) return absl::InvalidArgumentError(absl::StrCat(folder, ": expected utterances, found none"));
  std::vector<const UtteranceSource*> sorted;
  for (const UtteranceSource& source : sources) sorted.push_back(&source);
  std::sort(sorted.begin(), sorted.end(),
            [](const UtteranceSource* a, const UtteranceSource* b) { return a->id < b->id; });
  Lists lists(sorted);
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && sorted[i]->id == sorted[i - 1]->id) {
      return absl::InvalidArgumentError(absl::StrCat(folder, ": utterance ", Quoted(sorted[i]->id), " is there twice"));
    }
    RETURN_IF_ERROR(Annotate(lists.Add(*sorted[i]), folder));
  }
  if (LooksLikeKaldiDirectory(folder)) {
    return absl::AlreadyExistsError(absl::StrCat(folder, ": is a Kaldi data directory already"));
  }
  RETURN_IF_ERROR(MakeDirectories(folder));
  return lists.Write(folder);
}

}  // namespace earshot
