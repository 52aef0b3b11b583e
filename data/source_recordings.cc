#include "data/source_recordings.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/audio_file.h"
#include "data/unique_ids.h"

namespace earshot {

SourceRecordings::SourceRecordings(const std::vector<UtteranceSource>& sources) {
  for (const UtteranceSource& source : sources) {
    const auto [at, is_new] = index_.emplace(source.audio, recordings_.size());
    if (is_new) recordings_.emplace_back();
    SourceRecording& recording = recordings_[at->second];
    if (is_new) recording.first = &source;
    if (recording.id.empty()) recording.id = source.recording;
    ++recording.utterances;
  }
  MakeIds();
}

void SourceRecordings::MakeIds() {
  UniqueIds ids;
  const auto make = [&ids](absl::string_view stem, SourceRecording* recording) {
    recording->id = ids.Make(stem);
    ids.Add(recording->id);
  };
  for (SourceRecording& recording : recordings_) {
    if (!recording.id.empty()) make(std::string(recording.id), &recording);
  }
  for (SourceRecording& recording : recordings_) {
    if (!recording.id.empty()) continue;
    make(recording.utterances == 1 ? recording.first->id : IdFromAudio(*recording.first), &recording);
  }
}

absl::Status SourceRecordings::ReadHeader(SourceRecording* recording) {
  if (recording->sample_rate != 0) return absl::OkStatus();
  const UtteranceSource& source = *recording->first;
  if (source.audio_is_command) {
    return absl::InvalidArgumentError(absl::StrCat("utterance ", Quoted(source.id),
                                                   ": expected audio in a file, whose header has its length, found the "
                                                   "command ",
                                                   Quoted(source.audio)));
  }
  ASSIGN_OR_RETURN(const AudioInfo info, ReadAudioInfo(source.audio));
  recording->channels = info.channels;
  recording->frames = info.frames;
  if (info.frames < 0) {
    ASSIGN_OR_RETURN(const Audio audio, ReadAudio(source.audio));
    recording->frames = static_cast<int64_t>(audio.waveform.size());
  }
  recording->sample_rate = info.sample_rate;
  return absl::OkStatus();
}

double StatedDuration(const UtteranceSource& source) {
  const double stated = source.duration_seconds;
  if (source.end_seconds < 0) return stated;
  const bool agrees = stated >= 0 && source.begin_seconds + stated == source.end_seconds;
  return agrees ? stated : source.end_seconds - source.begin_seconds;
}

absl::StatusOr<RecordingSpan> SpanOf(const UtteranceSource& source, const SourceRecording& recording) {
  const double length = recording.duration();
  if (source.begin_seconds > 0 && source.begin_seconds >= length) {
    return absl::InvalidArgumentError(absl::StrCat(source.audio, ": expected utterance ", Quoted(source.id),
                                                   " to begin before the end at ", length, " s, found ",
                                                   source.begin_seconds));
  }
  const bool has_end = source.end_seconds >= 0 && source.end_seconds < length;
  return RecordingSpan{source.begin_seconds, has_end ? StatedDuration(source) : length - source.begin_seconds};
}

}  // namespace earshot
