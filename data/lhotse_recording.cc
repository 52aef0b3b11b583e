#include "data/lhotse_recording.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/json_fields.h"
#include "data/limits.h"

namespace earshot {
namespace {

// Seconds by which an end may lie behind that of the recording: Lhotse rounds to 1e-8, others to a millisecond.
constexpr double kMaxOvershoot = 1e-3;

enum SourceField { kType, kPath, kSourceChannels };
constexpr FieldName kSourceFields[] = {{"type", kType}, {"source", kPath}, {"channels", kSourceChannels}};

enum RecordingField { kRecordingId, kSources, kSamplingRate, kNumSamples, kTransforms };
constexpr FieldName kRecordingFields[] = {{"id", kRecordingId},
                                          {"sources", kSources},
                                          {"sampling_rate", kSamplingRate},
                                          {"num_samples", kNumSamples},
                                          {"transforms", kTransforms}};

enum SupervisionField { kId, kRecording, kStart, kDuration, kChannel, kText, kSpeaker };
constexpr FieldName kSupervisionFields[] = {
    {"id", kId},     {"recording_id", kRecording}, {"start", kStart}, {"duration", kDuration}, {"channel", kChannel},
    {"text", kText}, {"speaker", kSpeaker}};

absl::Status ReadSource(const LineReader& lines, JsonCursor* cursor, LhotseSource* source) {
  std::string type;
  const int64_t at = cursor->at();
  RETURN_IF_ERROR(ReadFields(kSourceFields, cursor, [&](int field) -> absl::Status {
    if (field == kSourceChannels) return ReadLhotseChannels(cursor, &source->channels);
    // The source of the type "memory" is the audio itself, and no string.
    if (field == kPath) return cursor->Peek() == '"' ? cursor->String(&source->path) : cursor->Skip();
    return cursor->String(&type);
  }));
  if (type != "file" && type != "command") {
    return cursor->Error(at, "a source of the type \"file\" or \"command\"", Quoted(type));
  }
  source->is_command = type == "command";
  if (source->path.empty()) return lines.Error("\"source\" with a path", "none");
  return absl::OkStatus();
}

// [] and null say that there are none.
absl::Status RefuseTransforms(JsonCursor* cursor) {
  const int64_t at = cursor->at();
  const absl::Status error = cursor->Error(at, "a recording without transforms", "some");
  if (cursor->Peek() != '[') return error;
  return cursor->Array([&] { return error; });
}

// The file and channel (-1: the mean) that `channels` of a recording are.
absl::Status FindChannels(const LineReader& lines, const LhotseRecording& recording, const std::vector<int>& channels,
                          const LhotseSource** file, int* channel) {
  size_t all = 0;
  for (const LhotseSource& source : recording.sources) all += source.channels.size();
  *channel = -1;
  if (channels.size() != 1 || all == 0) {
    *file = &recording.sources[0];
    if (recording.sources.size() == 1 && (channels.empty() || all == 0 || channels.size() == all)) {
      return absl::OkStatus();
    }
    return lines.Error(absl::StrCat("one channel of the recording ", Quoted(recording.id), ", or all if in one file"),
                       absl::StrCat(channels.size(), " of ", all, " in ", recording.sources.size(), " files"));
  }
  for (const LhotseSource& source : recording.sources) {
    const auto at = std::find(source.channels.begin(), source.channels.end(), channels[0]);
    if (at == source.channels.end()) continue;
    *file = &source;
    if (source.channels.size() > 1) *channel = static_cast<int>(at - source.channels.begin());
    return absl::OkStatus();
  }
  return lines.Error(absl::StrCat("a channel of the recording ", Quoted(recording.id)), absl::StrCat(channels[0]));
}

}  // namespace

absl::Status ReadLhotseChannels(JsonCursor* cursor, std::vector<int>* channels) {
  const auto read_one = [&]() -> absl::Status {
    const int64_t at = cursor->at();
    int64_t channel = 0;
    RETURN_IF_ERROR(cursor->Integer(&channel));
    if (channel > kMaxManifestChannel || channels->size() > kMaxManifestChannel) {
      return cursor->Error(at, absl::StrCat("channels of at most ", kMaxManifestChannel), absl::StrCat(channel));
    }
    channels->push_back(static_cast<int>(channel));
    return absl::OkStatus();
  };
  channels->clear();
  return cursor->Peek() == '[' ? cursor->Array(read_one) : read_one();
}

absl::Status ReadLhotseSeconds(double least, JsonCursor* cursor, double* seconds) {
  const int64_t at = cursor->at();
  RETURN_IF_ERROR(cursor->Number(seconds));
  if (*seconds >= least && *seconds <= kMaxManifestSeconds) return absl::OkStatus();
  return cursor->Error(at, absl::StrCat(least, " to ", kMaxManifestSeconds, " seconds"), absl::StrCat(*seconds));
}

absl::Status ReadLhotseRecording(const LineReader& lines, JsonCursor* cursor, LhotseRecording* recording) {
  int64_t rate = 0, samples = -1;
  recording->line = lines.line_number();
  RETURN_IF_ERROR(ReadFields(kRecordingFields, cursor, [&](int field) -> absl::Status {
    switch (field) {
      case kRecordingId:
        return ReadName(cursor, &recording->id);
      case kSamplingRate:
        return cursor->Integer(&rate);
      case kNumSamples:
        return cursor->Integer(&samples);
      case kTransforms:
        return RefuseTransforms(cursor);
      default:
        return cursor->Array([&] {
          recording->sources.emplace_back();
          if (recording->sources.size() > size_t{kMaxLhotseSources}) {
            return lines.Error(absl::StrCat("at most ", kMaxLhotseSources, " sources"), "more");
          }
          return ReadSource(lines, cursor, &recording->sources.back());
        });
    }
  }));
  if (recording->id.empty()) return lines.Error("a recording with \"id\"", "none");
  if (recording->sources.empty()) return lines.Error("a recording with \"sources\"", "none");
  if (rate <= 0 || samples < 0) {
    return lines.Error("a recording with \"sampling_rate\" above 0 and \"num_samples\"",
                       absl::StrCat(rate, " and ", samples < 0 ? "none" : absl::StrCat(samples)));
  }
  recording->duration = static_cast<double>(samples) / static_cast<double>(rate);
  recording->sample_duration = 1 / static_cast<double>(rate);
  recording->sources.shrink_to_fit();
  return absl::OkStatus();
}

absl::Status ReadLhotseSupervision(const LineReader& lines, bool relative, JsonCursor* cursor,
                                   LhotseSupervision* supervision) {
  bool has_start = false;
  RETURN_IF_ERROR(ReadFields(kSupervisionFields, cursor, [&](int field) -> absl::Status {
    switch (field) {
      case kId:
        return ReadName(cursor, &supervision->id);
      case kRecording:
        return ReadName(cursor, &supervision->recording_id);
      case kStart:
        has_start = true;
        return ReadLhotseSeconds(relative ? -kMaxManifestSeconds : 0, cursor, &supervision->start);
      case kDuration:
        return ReadLhotseSeconds(0, cursor, &supervision->duration);
      case kChannel:
        return ReadLhotseChannels(cursor, &supervision->channels);
      case kText:
        return cursor->String(&supervision->text);
      default:
        return ReadName(cursor, &supervision->speaker);
    }
  }));
  if (supervision->id.empty()) return lines.Error("a supervision with \"id\"", "none");
  if (!has_start || supervision->duration < 0) {
    return lines.Error("a supervision with \"start\" and \"duration\"", "none");
  }
  return absl::OkStatus();
}

absl::StatusOr<UtteranceSource> MakeLhotseSource(const LineReader& lines, const LhotseRecording& recording,
                                                 const LhotseSupervision& supervision) {
  UtteranceSource source;
  const LhotseSource* file = nullptr;
  RETURN_IF_ERROR(FindChannels(lines, recording, supervision.channels, &file, &source.channel));
  source.audio = file->path;
  source.audio_is_command = file->is_command;
  source.id = supervision.id;
  source.text = supervision.text;
  source.speaker = supervision.speaker;
  if (recording.id != supervision.id) source.recording = recording.id;
  source.duration_seconds = supervision.duration;
  const double begin = std::max(supervision.start, 0.0), end = supervision.start + supervision.duration;
  // To the sample, as Lhotse cuts.
  const double half_sample = recording.sample_duration / 2;
  const bool to_the_end = end > recording.duration - half_sample && end < recording.duration + kMaxOvershoot;
  if (begin < half_sample && to_the_end) return source;  // all of it
  if (begin >= recording.duration) {
    return lines.Error(absl::StrCat("a start before the end of the recording at ", recording.duration, " s"),
                       absl::StrCat(begin));
  }
  if (end <= begin) return lines.Error(absl::StrCat("an end after the start at ", begin, " s"), absl::StrCat(end));
  source.begin_seconds = begin;
  source.end_seconds = to_the_end ? -1 : end;
  return source;
}

}  // namespace earshot
