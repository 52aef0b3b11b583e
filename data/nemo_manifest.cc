#include "data/nemo_manifest.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json_cursor.h"
#include "base/status_macros.h"
#include "data/json_fields.h"
#include "data/limits.h"
#include "data/line_reader.h"

namespace earshot {
namespace {

enum Field { kAudio, kText, kDuration, kOffset, kEnd, kId, kSpeaker, kChannel, kRecording, kTextFile, kShard };

constexpr FieldName kFieldNames[] = {{"audio_filepath", kAudio},
                                     {"wav", kAudio},
                                     {"audio", kAudio},
                                     {"audio_file", kAudio},
                                     {"path", kAudio},
                                     {"text", kText},
                                     {"txt", kText},
                                     {"transcript", kText},
                                     {"sentence", kText},
                                     {"duration", kDuration},
                                     {"offset", kOffset},
                                     {"start", kOffset},
                                     {"begin", kOffset},
                                     {"end", kEnd},
                                     {"id", kId},
                                     {"utt_id", kId},
                                     {"key", kId},
                                     {"utt", kId},
                                     {"speaker", kSpeaker},
                                     {"spk", kSpeaker},
                                     {"speaker_id", kSpeaker},
                                     {"channel", kChannel},
                                     {"recording", kRecording},
                                     {"text_filepath", kTextFile},
                                     {"shard_id", kShard}};

absl::Status ReadSeconds(absl::string_view name, const ManifestBuilder& builder, JsonCursor* cursor, double* seconds) {
  RETURN_IF_ERROR(cursor->Number(seconds));
  return builder.CheckSeconds(name, *seconds);
}

absl::Status ReadField(int field, const LineReader& lines, const ManifestBuilder& builder, JsonCursor* cursor,
                       ManifestTimes* times, UtteranceSource* source) {
  switch (field) {
    case kAudio:
      return cursor->String(&source->audio);
    case kText:
      return cursor->String(&source->text);
    case kDuration:
      return ReadSeconds("a duration", builder, cursor, &times->duration);
    case kOffset:
      return ReadSeconds("an offset", builder, cursor, &times->begin);
    case kEnd:
      return ReadSeconds("an end", builder, cursor, &times->end);
    case kId:
      return ReadName(cursor, &source->id);
    case kSpeaker:
      return ReadName(cursor, &source->speaker);
    case kRecording:
      return ReadName(cursor, &source->recording);
    case kChannel: {
      const int64_t at = cursor->at();
      int64_t channel = 0;
      RETURN_IF_ERROR(cursor->Integer(&channel));
      if (channel > kMaxManifestChannel) {
        return cursor->Error(at, absl::StrCat("a channel of at most ", kMaxManifestChannel), absl::StrCat(channel));
      }
      source->channel = static_cast<int>(channel);
      return absl::OkStatus();
    }
    case kTextFile:
      return lines.Error("\"text\"", "\"text_filepath\": texts in files of their own are not read");
    default:
      return lines.Error("audio in files", "\"shard_id\": audio in tar files is not read");
  }
}

}  // namespace

bool IsNemoAudioField(absl::string_view name) {
  return std::any_of(std::begin(kFieldNames), std::end(kFieldNames), [name](const FieldName& candidate) {
    return candidate.field == kAudio && candidate.name == name;
  });
}

absl::StatusOr<Manifest> ParseNemoManifest(absl::string_view content, absl::string_view name,
                                           const ManifestOptions& options) {
  LineReader lines(content, name);
  return ParseNemoManifest(&lines, options);
}

absl::StatusOr<Manifest> ParseNemoManifest(LineReader* lines, const ManifestOptions& options) {
  ManifestBuilder builder("nemo", *lines, options);
  absl::string_view line;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, lines->Next(&line));
    if (!more) return builder.Finish(/*want_line_end=*/false);
    const std::string place = lines->Place();
    JsonCursor cursor(line, 0, line.size(), place);
    UtteranceSource source;
    ManifestTimes times;
    RETURN_IF_ERROR(ReadFields(kFieldNames, &cursor,
                               [&](int field) { return ReadField(field, *lines, builder, &cursor, &times, &source); }));
    RETURN_IF_ERROR(cursor.End());
    if (source.audio.empty()) return lines->Error("\"audio_filepath\" with a path", "none");
    RETURN_IF_ERROR(builder.SetTimes(times, &source));
    RETURN_IF_ERROR(builder.Add(std::move(source)));
  }
}

}  // namespace earshot
