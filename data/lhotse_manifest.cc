#include "data/lhotse_manifest.h"

#include <algorithm>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "base/json_cursor.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/json_fields.h"
#include "data/line_reader.h"

namespace earshot {
namespace {

enum CutField { kCutId, kCutStart, kCutDuration, kCutChannel, kCutSupervisions, kCutRecording, kCutType, kCutTracks };
constexpr FieldName kCutFields[] = {{"id", kCutId},
                                    {"start", kCutStart},
                                    {"duration", kCutDuration},
                                    {"channel", kCutChannel},
                                    {"supervisions", kCutSupervisions},
                                    {"recording", kCutRecording},
                                    {"type", kCutType},
                                    {"tracks", kCutTracks}};

struct Cut {
  LhotseSupervision whole;  // what the cut itself says, as if it were one
  std::vector<LhotseSupervision> supervisions;
  LhotseRecording recording;
  bool has_recording = false;
  std::string type;
};

absl::Status ReadCut(const LineReader& lines, JsonCursor* cursor, Cut* cut) {
  return ReadFields(kCutFields, cursor, [&](int field) -> absl::Status {
    switch (field) {
      case kCutId:
        return ReadName(cursor, &cut->whole.id);
      case kCutStart:
        return ReadLhotseSeconds(0, cursor, &cut->whole.start);
      case kCutDuration:
        return ReadLhotseSeconds(0, cursor, &cut->whole.duration);
      case kCutChannel:
        return ReadLhotseChannels(cursor, &cut->whole.channels);
      case kCutSupervisions:
        return cursor->Array([&] {
          cut->supervisions.emplace_back();
          return ReadLhotseSupervision(lines, /*relative=*/true, cursor, &cut->supervisions.back());
        });
      case kCutRecording:
        cut->has_recording = true;
        return ReadLhotseRecording(lines, cursor, &cut->recording);
      case kCutType:
        return cursor->String(&cut->type);
      default:
        return lines.Error("a MonoCut or MultiCut", "\"tracks\" of a MixedCut");
    }
  });
}

absl::Status CheckCut(const LineReader& lines, const Cut& cut) {
  if (cut.type != "MonoCut" && cut.type != "MultiCut" && cut.type != "Cut") {
    return lines.Error("a cut of the type \"MonoCut\" or \"MultiCut\"", Quoted(cut.type));
  }
  if (!cut.has_recording) return lines.Error("a cut with \"recording\"", "none (features are made from the audio)");
  if (cut.whole.id.empty() || cut.whole.start < 0 || cut.whole.duration < 0) {
    return lines.Error("a cut with \"id\", \"start\" and \"duration\"", "not all of them");
  }
  return absl::OkStatus();
}

absl::Status AddCut(const LineReader& lines, Cut* cut, ManifestBuilder* builder) {
  RETURN_IF_ERROR(CheckCut(lines, *cut));
  for (LhotseSupervision& supervision : cut->supervisions) supervision.start += cut->whole.start;
  if (cut->supervisions.empty()) cut->supervisions.push_back(cut->whole);
  for (LhotseSupervision& supervision : cut->supervisions) {
    if (supervision.channels.empty()) supervision.channels = cut->whole.channels;
    ASSIGN_OR_RETURN(UtteranceSource source, MakeLhotseSource(lines, cut->recording, supervision));
    RETURN_IF_ERROR(builder->Add(std::move(source)));
  }
  return absl::OkStatus();
}

bool BeforeId(const LhotseRecording& recording, absl::string_view id) { return recording.id < id; }

// Calls `read` for the object on each line.
absl::Status ForEachObject(LineReader* lines, absl::FunctionRef<absl::Status(JsonCursor*)> read) {
  absl::string_view line;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, lines->Next(&line));
    if (!more) return absl::OkStatus();
    const std::string place = lines->Place();
    JsonCursor cursor(line, 0, line.size(), place);
    RETURN_IF_ERROR(read(&cursor));
  }
}

}  // namespace

absl::StatusOr<LhotseRecordings> LhotseRecordings::Parse(absl::string_view content, absl::string_view name) {
  LineReader lines(content, name);
  return Parse(&lines);
}

absl::StatusOr<LhotseRecordings> LhotseRecordings::Parse(LineReader* lines) {
  LhotseRecordings all;
  all.name_ = std::string(lines->name());
  RETURN_IF_ERROR(ForEachObject(lines, [&](JsonCursor* cursor) -> absl::Status {
    LhotseRecording recording;
    RETURN_IF_ERROR(ReadLhotseRecording(*lines, cursor, &recording));
    RETURN_IF_ERROR(cursor->End());
    all.recordings_.push_back(std::move(recording));
    return absl::OkStatus();
  }));
  if (all.recordings_.empty()) return LineError(all.name_, 1, "a recording", "none in the whole file");
  std::stable_sort(all.recordings_.begin(), all.recordings_.end(),
                   [](const LhotseRecording& a, const LhotseRecording& b) { return a.id < b.id; });
  const auto twice = std::adjacent_find(all.recordings_.begin(), all.recordings_.end(),
                                        [](const auto& a, const auto& b) { return a.id == b.id; });
  if (twice != all.recordings_.end()) {
    return LineError(all.name_, twice[1].line, "each recording once",
                     absl::StrCat(Quoted(twice->id), ", which line ", twice->line, " has too"));
  }
  lines->AppendWarnings(/*want_line_end=*/false, &all.warnings_);
  return all;
}

int64_t LhotseRecordings::Find(absl::string_view id) const {
  const auto at = std::lower_bound(recordings_.begin(), recordings_.end(), id, BeforeId);
  return at == recordings_.end() || at->id != id ? -1 : at - recordings_.begin();
}

absl::StatusOr<Manifest> ParseLhotseSupervisions(absl::string_view content, absl::string_view name,
                                                 const LhotseRecordings& recordings, const ManifestOptions& options) {
  LineReader lines(content, name);
  return ParseLhotseSupervisions(&lines, recordings, options);
}

absl::StatusOr<Manifest> ParseLhotseSupervisions(LineReader* lines, const LhotseRecordings& recordings,
                                                 const ManifestOptions& options) {
  ManifestBuilder builder("lhotse", *lines, options);
  std::vector<bool> used(recordings.size());
  int64_t unused = recordings.size();
  RETURN_IF_ERROR(ForEachObject(lines, [&](JsonCursor* cursor) -> absl::Status {
    LhotseSupervision supervision;
    RETURN_IF_ERROR(ReadLhotseSupervision(*lines, /*relative=*/false, cursor, &supervision));
    RETURN_IF_ERROR(cursor->End());
    const int64_t index = recordings.Find(supervision.recording_id);
    if (index < 0) {
      return lines->Error(absl::StrCat("a \"recording_id\" of ", recordings.name()), Quoted(supervision.recording_id));
    }
    unused -= !used[index];
    used[index] = true;
    ASSIGN_OR_RETURN(UtteranceSource source, MakeLhotseSource(*lines, recordings[index], supervision));
    return builder.Add(std::move(source));
  }));
  ASSIGN_OR_RETURN(Manifest manifest, builder.Finish(/*want_line_end=*/false));
  manifest.warnings.insert(manifest.warnings.begin(), recordings.warnings().begin(), recordings.warnings().end());
  if (unused > 0) {
    manifest.warnings.push_back(
        absl::StrCat(recordings.name(), ": ", unused, " of ", recordings.size(), " recordings have no supervision"));
  }
  return manifest;
}

absl::StatusOr<Manifest> ParseLhotseCuts(absl::string_view content, absl::string_view name,
                                         const ManifestOptions& options) {
  LineReader lines(content, name);
  return ParseLhotseCuts(&lines, options);
}

absl::StatusOr<Manifest> ParseLhotseCuts(LineReader* lines, const ManifestOptions& options) {
  ManifestBuilder builder("lhotse", *lines, options);
  RETURN_IF_ERROR(ForEachObject(lines, [&](JsonCursor* cursor) -> absl::Status {
    Cut cut;
    RETURN_IF_ERROR(ReadCut(*lines, cursor, &cut));
    RETURN_IF_ERROR(cursor->End());
    return AddCut(*lines, &cut, &builder);
  }));
  return builder.Finish(/*want_line_end=*/false);
}

}  // namespace earshot
