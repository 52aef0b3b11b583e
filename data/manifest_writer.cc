#include "data/manifest_writer.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/json.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/gunzip.h"
#include "data/lhotse_manifest.h"
#include "data/nemo_manifest.h"
#include "data/source_recordings.h"
#include "data/tsv_manifest.h"

namespace earshot {
namespace {

using Sources = std::vector<UtteranceSource>;

absl::Status UtteranceError(const UtteranceSource& source, absl::string_view expected, absl::string_view found) {
  return absl::InvalidArgumentError(
      absl::StrCat("utterance ", Quoted(source.id), ": expected ", expected, ", found ", found));
}

// Audio as NeMo's and our tables have it.
absl::StatusOr<std::string> Audio(const UtteranceSource& source) {
  if (source.audio_is_command) return absl::StrCat(absl::StripAsciiWhitespace(source.audio), " |");
  return AbsolutePath(source.audio);
}

absl::StatusOr<std::string> FormatNemo(const Sources& sources, SourceRecordings* recordings) {
  std::string text;
  for (const UtteranceSource& source : sources) {
    double duration = StatedDuration(source);
    if (duration < 0 && !source.audio_is_command) {
      SourceRecording& recording = recordings->Of(source);
      RETURN_IF_ERROR(SourceRecordings::ReadHeader(&recording));
      ASSIGN_OR_RETURN(const RecordingSpan span, SpanOf(source, recording));
      duration = span.duration;
    }
    ASSIGN_OR_RETURN(const std::string audio, Audio(source));
    absl::StrAppend(&text, "{\"audio_filepath\": ", JsonString(audio));
    if (source.begin_seconds != 0 || source.end_seconds >= 0) {
      absl::StrAppend(&text, ", \"offset\": ", JsonExactNumber(source.begin_seconds));
    }
    if (duration >= 0) absl::StrAppend(&text, ", \"duration\": ", JsonExactNumber(duration));
    absl::StrAppend(&text, ", \"text\": ", JsonString(source.text), ", \"id\": ", JsonString(source.id));
    if (!source.speaker.empty()) absl::StrAppend(&text, ", \"speaker\": ", JsonString(source.speaker));
    if (source.channel >= 0) absl::StrAppend(&text, ", \"channel\": ", source.channel);
    if (!source.recording.empty()) absl::StrAppend(&text, ", \"recording\": ", JsonString(source.recording));
    absl::StrAppend(&text, "}\n");
  }
  return text;
}

absl::StatusOr<std::string> FormatTsv(const Sources& sources) {
  const auto any = [&](auto says_something) { return std::any_of(sources.begin(), sources.end(), says_something); };
  const bool durations = any([](const UtteranceSource& source) { return source.duration_seconds >= 0; });
  const bool channels = any([](const UtteranceSource& source) { return source.channel >= 0; });
  const bool recordings = any([](const UtteranceSource& source) { return !source.recording.empty(); });
  const auto seconds = [](double value) { return value < 0 ? "" : JsonExactNumber(value); };
  std::string text = absl::StrCat("id\taudio\ttext\tspeaker\tbegin\tend", durations ? "\tduration" : "",
                                  channels ? "\tchannel" : "", recordings ? "\trecording" : "", "\n");
  for (const UtteranceSource& source : sources) {
    ASSIGN_OR_RETURN(const std::string audio, Audio(source));
    absl::StrAppend(&text, source.id, "\t", audio, "\t", source.text, "\t", source.speaker, "\t");
    absl::StrAppend(&text, seconds(source.begin_seconds), "\t", seconds(source.end_seconds));
    if (durations) absl::StrAppend(&text, "\t", seconds(source.duration_seconds));
    if (channels) absl::StrAppend(&text, "\t", source.channel < 0 ? "" : absl::StrCat(source.channel));
    if (recordings) absl::StrAppend(&text, "\t", source.recording);
    absl::StrAppend(&text, "\n");
  }
  return text;
}

std::string AllChannels(const SourceRecording& recording) {
  std::vector<int> channels;
  for (int i = 0; i < recording.channels; ++i) channels.push_back(i);
  return absl::StrCat("[", absl::StrJoin(channels, ", "), "]");
}

absl::StatusOr<std::string> FormatRecording(const SourceRecording& recording) {
  const std::string channels = AllChannels(recording);
  ASSIGN_OR_RETURN(const std::string audio, AbsolutePath(recording.first->audio));
  return absl::StrCat("{\"id\": ", JsonString(recording.id),
                      ", \"sources\": [{\"type\": \"file\", \"channels\": ", channels,
                      ", \"source\": ", JsonString(audio), "}], \"sampling_rate\": ", recording.sample_rate,
                      ", \"num_samples\": ", recording.frames,
                      ", \"duration\": ", JsonExactNumber(recording.duration()), ", \"channel_ids\": ", channels, "}");
}

// One channel as its number, all as a list.
absl::StatusOr<std::string> FormatChannel(const UtteranceSource& source, const SourceRecording& recording) {
  if (source.channel >= recording.channels) {
    return absl::InvalidArgumentError(absl::StrCat(source.audio, ": expected a channel below ", recording.channels,
                                                   " for utterance ", Quoted(source.id), ", found ", source.channel));
  }
  if (source.channel >= 0) return absl::StrCat(source.channel);
  return recording.channels == 1 ? "0" : AllChannels(recording);
}

std::string FormatSupervision(const UtteranceSource& source, const SourceRecording& recording, double start,
                              double duration, const std::string& channel) {
  return absl::StrCat("{\"id\": ", JsonString(source.id), ", \"recording_id\": ", JsonString(recording.id),
                      ", \"start\": ", JsonExactNumber(start), ", \"duration\": ", JsonExactNumber(duration),
                      ", \"channel\": ", channel, ", \"text\": ", JsonString(source.text),
                      source.speaker.empty() ? "" : absl::StrCat(", \"speaker\": ", JsonString(source.speaker)), "}");
}

// One line an utterance: a supervision, or a cut with its supervision and recording.
absl::StatusOr<std::string> FormatLhotse(const Sources& sources, bool cuts, SourceRecordings* recordings) {
  std::string text;
  for (const UtteranceSource& source : sources) {
    SourceRecording& recording = recordings->Of(source);
    RETURN_IF_ERROR(SourceRecordings::ReadHeader(&recording));
    ASSIGN_OR_RETURN(const RecordingSpan span, SpanOf(source, recording));
    ASSIGN_OR_RETURN(const std::string channel, FormatChannel(source, recording));
    if (!cuts) {
      absl::StrAppend(&text, FormatSupervision(source, recording, span.begin, span.duration, channel), "\n");
      continue;
    }
    ASSIGN_OR_RETURN(const std::string recording_text, FormatRecording(recording));
    absl::StrAppend(&text, "{\"id\": ", JsonString(source.id), ", \"start\": ", JsonExactNumber(span.begin),
                    ", \"duration\": ", JsonExactNumber(span.duration), ", \"channel\": ", channel,
                    ", \"supervisions\": [", FormatSupervision(source, recording, 0, span.duration, channel),
                    "], \"recording\": ", recording_text,
                    ", \"type\": ", channel[0] == '[' ? "\"MultiCut\"" : "\"MonoCut\"", "}\n");
  }
  return text;
}

absl::Status WriteText(const std::string& path, const std::string& text) {
  return WriteFileAtomically(path, {absl::EndsWith(path, ".gz") ? Gzip(text) : text});
}

absl::Status WriteLhotsePair(ManifestKind kind, const Sources& sources, const std::string& path,
                             SourceRecordings* recordings) {
  const bool is_recordings = kind == ManifestKind::kLhotseRecordings;
  const std::string other = LhotsePartnerName(path, kind);
  if (other.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": expected a file name with \"",
                                                   is_recordings ? "recordings" : "supervisions", "\" in it"));
  }
  ASSIGN_OR_RETURN(const std::string supervision_text, FormatLhotse(sources, /*cuts=*/false, recordings));
  std::string recording_text;
  for (const SourceRecording& recording : recordings->all()) {
    ASSIGN_OR_RETURN(const std::string line, FormatRecording(recording));
    absl::StrAppend(&recording_text, line, "\n");
  }
  ASSIGN_OR_RETURN(const LhotseRecordings parsed, LhotseRecordings::Parse(recording_text, "recordings"));
  RETURN_IF_ERROR(ParseLhotseSupervisions(supervision_text, "supervisions", parsed).status());
  RETURN_IF_ERROR(WriteText(is_recordings ? path : other, recording_text));
  return WriteText(is_recordings ? other : path, supervision_text);
}

absl::Status CheckSources(const Sources& sources, std::vector<std::string>* warnings) {
  int64_t features = 0;
  for (const UtteranceSource& source : sources) {
    if (source.audio.empty()) return UtteranceError(source, "audio", "features only, which a manifest cannot name");
    const absl::string_view audio = source.audio;
    const bool odd = audio != absl::StripAsciiWhitespace(audio) || absl::EndsWith(audio, "|");
    if (odd && !source.audio_is_command) {
      return UtteranceError(source, "a path without white space or '|' at its ends", Quoted(audio));
    }
    features += !source.features.empty();
  }
  if (features > 0) {
    warnings->push_back(absl::StrCat("the features of ", features, " utterances are left out; their audio stays"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteManifest(ManifestKind kind, const Sources& sources, const std::string& path,
                           std::vector<std::string>* warnings) {
  RETURN_IF_ERROR(CheckSources(sources, warnings));
  SourceRecordings recordings(sources);
  ManifestOptions options;
  options.allow_commands = true;
  if (kind == ManifestKind::kNemo) {
    ASSIGN_OR_RETURN(const std::string text, FormatNemo(sources, &recordings));
    RETURN_IF_ERROR(ParseNemoManifest(text, "manifest", options).status());
    return WriteText(path, text);
  }
  if (kind == ManifestKind::kTsv) {
    ASSIGN_OR_RETURN(const std::string text, FormatTsv(sources));
    RETURN_IF_ERROR(ParseTsvManifest(text, "manifest", options).status());
    return WriteText(path, text);
  }
  if (kind != ManifestKind::kLhotseCuts) return WriteLhotsePair(kind, sources, path, &recordings);
  ASSIGN_OR_RETURN(const std::string text, FormatLhotse(sources, /*cuts=*/true, &recordings));
  RETURN_IF_ERROR(ParseLhotseCuts(text, "manifest").status());
  return WriteText(path, text);
}

}  // namespace earshot
