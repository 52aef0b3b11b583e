#include "data/tsv_manifest.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "data/limits.h"
#include "data/line_reader.h"

namespace earshot {
namespace {

enum Column { kAudio, kText, kId, kSpeaker, kBegin, kEnd, kDuration, kChannel, kRecording, kColumns };

struct ColumnName {
  absl::string_view name;
  Column column;
};
// Of several names of one column, the first wins.
constexpr ColumnName kColumnNames[] = {{"audio", kAudio},
                                       {"path", kAudio},
                                       {"audio_filepath", kAudio},
                                       {"wav", kAudio},
                                       {"file", kAudio},
                                       {"filename", kAudio},
                                       {"text", kText},
                                       {"sentence", kText},
                                       {"transcript", kText},
                                       {"transcription", kText},
                                       {"tgt_text", kText},
                                       {"id", kId},
                                       {"utt_id", kId},
                                       {"utterance", kId},
                                       {"key", kId},
                                       {"speaker", kSpeaker},
                                       {"client_id", kSpeaker},
                                       {"speaker_id", kSpeaker},
                                       {"spk", kSpeaker},
                                       {"begin", kBegin},
                                       {"start", kBegin},
                                       {"offset", kBegin},
                                       {"end", kEnd},
                                       {"duration", kDuration},
                                       {"channel", kChannel},
                                       {"recording", kRecording}};

// Where each column stands in a line; -1: it does not.
struct Layout {
  int at[kColumns];
  int size = 0;  // of all columns
  bool is_common_voice = false;
};

Layout ReadHeader(absl::string_view line) {
  Layout layout;
  std::vector<std::string> names;
  for (const absl::string_view field : absl::StrSplit(line, '\t')) {
    names.push_back(absl::AsciiStrToLower(absl::StripAsciiWhitespace(field)));
  }
  layout.size = static_cast<int>(names.size());
  const auto has = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  layout.is_common_voice = has("client_id") && has("path");
  std::fill_n(layout.at, static_cast<int>(kColumns), -1);
  for (const ColumnName& known : kColumnNames) {
    for (int i = 0; i < layout.size && layout.at[known.column] < 0; ++i) {
      if (names[i] == known.name) layout.at[known.column] = i;
    }
  }
  return layout;
}

class LineParser {
 public:
  LineParser(const Layout& layout, const LineReader& lines, ManifestBuilder* builder)
      : layout_(layout), lines_(lines), builder_(*builder) {}

  absl::Status Parse(absl::string_view line) {
    const size_t bad = FindUnprintable(line, false);
    if (bad != absl::string_view::npos) {
      return lines_.Error("printable UTF-8", absl::StrCat(CodePointName(line.substr(bad)), " in ",
                                                          Quoted(line.substr(bad < 20 ? 0 : bad - 20))));
    }
    fields_ = absl::StrSplit(line, '\t');
    if (static_cast<int>(fields_.size()) != layout_.size) {
      return lines_.Error(absl::StrCat(layout_.size, " fields, as in the header"), absl::StrCat(fields_.size()));
    }
    UtteranceSource source;
    ManifestTimes times;
    source.audio = std::string(Get(kAudio));
    source.text = std::string(Get(kText));
    source.id = std::string(Get(kId));
    source.speaker = std::string(Get(kSpeaker));
    source.recording = std::string(Get(kRecording));
    if (source.id.empty() && layout_.at[kId] >= 0) return lines_.Error("an id", "an empty field");
    RETURN_IF_ERROR(Seconds(kBegin, "a begin", &times.begin));
    RETURN_IF_ERROR(Seconds(kEnd, "an end", &times.end));
    RETURN_IF_ERROR(Seconds(kDuration, "a duration", &times.duration));
    RETURN_IF_ERROR(Channel(&source.channel));
    // Our own writer fills in the begin of every utterance: at 0 and without an end it says nothing.
    if (times.begin == 0 && times.end < 0) times.begin = -1;
    RETURN_IF_ERROR(builder_.SetTimes(times, &source));
    return builder_.Add(std::move(source));
  }

 private:
  absl::string_view Get(Column column) const {
    return layout_.at[column] < 0 ? absl::string_view() : absl::StripAsciiWhitespace(fields_[layout_.at[column]]);
  }

  absl::Status Seconds(Column column, absl::string_view what, double* seconds) const {
    const absl::string_view field = Get(column);
    if (field.empty() || (column == kEnd && field == "-1")) return absl::OkStatus();
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), *seconds);
    if (error != std::errc() || end != field.data() + field.size()) {
      return lines_.Error(absl::StrCat(what, " in seconds"), Quoted(field));
    }
    return builder_.CheckSeconds(what, *seconds);
  }

  absl::Status Channel(int* channel) const {
    const absl::string_view field = Get(kChannel);
    if (field.empty()) return absl::OkStatus();
    if (absl::SimpleAtoi(field, channel) && *channel >= 0 && *channel <= kMaxManifestChannel) return absl::OkStatus();
    return lines_.Error(absl::StrCat("a channel of 0 to ", kMaxManifestChannel), Quoted(field));
  }

  const Layout& layout_;
  const LineReader& lines_;
  ManifestBuilder& builder_;
  std::vector<absl::string_view> fields_;
};

}  // namespace

bool IsTsvHeader(absl::string_view line) {
  const Layout layout = ReadHeader(line);
  return layout.size > 1 && layout.at[kAudio] >= 0;
}

absl::StatusOr<Manifest> ParseTsvManifest(absl::string_view content, absl::string_view name,
                                          const ManifestOptions& options) {
  LineReader lines(content, name);
  return ParseTsvManifest(&lines, options);
}

absl::StatusOr<Manifest> ParseTsvManifest(LineReader* lines, const ManifestOptions& options) {
  ManifestBuilder builder("tsv", *lines, options);
  absl::string_view line;
  ASSIGN_OR_RETURN(bool more, lines->Next(&line));
  if (!more || !IsTsvHeader(line)) {
    return LineError(lines->name(), 1, "names of columns with tabs between them, one of them \"audio\" or \"path\"",
                     more ? Quoted(line) : "nothing");
  }
  const Layout layout = ReadHeader(line);
  LineParser parser(layout, *lines, &builder);
  while (true) {
    ASSIGN_OR_RETURN(more, lines->Next(&line));
    if (!more) break;
    RETURN_IF_ERROR(parser.Parse(line));
  }
  ASSIGN_OR_RETURN(Manifest manifest, builder.Finish(/*want_line_end=*/true));
  manifest.is_common_voice = layout.is_common_voice;
  return manifest;
}

}  // namespace earshot
