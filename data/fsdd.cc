#include "data/fsdd.h"

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "data/digit_words.h"

namespace earshot {
namespace {

constexpr absl::string_view kPattern = "{digit}_{speaker}_{take}.wav, for instance 7_jackson_32.wav";

struct Recording {
  int digit = 0;
  std::string speaker;
  int take = 0;
};

// A number as it is written without leading zeros, so that no two names mean the same recording.
bool ParseNumber(absl::string_view text, int* value) {
  return absl::SimpleAtoi(text, value) && absl::StrCat(*value) == text && *value >= 0;
}

bool ParseName(absl::string_view name, Recording* recording) {
  if (!absl::ConsumeSuffix(&name, ".wav")) return false;
  const std::vector<absl::string_view> parts = absl::StrSplit(name, '_');
  if (parts.size() < 3) return false;
  // A speaker's name may contain underscores.
  recording->speaker = absl::StrJoin(parts.begin() + 1, parts.end() - 1, "_");
  return ParseNumber(parts.front(), &recording->digit) && recording->digit <= 9 && !recording->speaker.empty() &&
         ParseNumber(parts.back(), &recording->take);
}

std::string RecordingsFolder(const std::string& folder) {
  const std::string inner = absl::StrCat(folder, "/recordings");
  return IsDirectory(inner) ? inner : folder;
}

enum Part { kTrain, kDev, kTest };

Part PartOf(const Recording& recording, const FsddOptions& options) {
  const bool dev_take = recording.take >= 5 && recording.take <= 9;
  if (options.test_speaker.empty()) return recording.take <= 4 ? kTest : dev_take ? kDev : kTrain;
  return recording.speaker == options.test_speaker ? kTest : dev_take ? kDev : kTrain;
}

}  // namespace

absl::StatusOr<CorpusSources> ListFsdd(const std::string& folder, const FsddOptions& options) {
  const std::string recordings = RecordingsFolder(folder);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListFiles(recordings));
  std::vector<UtteranceSource> parts[3];
  std::set<std::string> speakers;
  for (const std::string& name : names) {
    if (!absl::EndsWith(name, ".wav")) continue;
    Recording recording;
    if (!ParseName(name, &recording)) {
      return absl::InvalidArgumentError(absl::StrCat(recordings, "/", name, ": the name is not ", kPattern));
    }
    speakers.insert(recording.speaker);
    UtteranceSource source;
    source.id = std::string(absl::StripSuffix(name, ".wav"));
    source.speaker = recording.speaker;
    source.text = kDigitWords[recording.digit];
    source.audio = absl::StrCat(recordings, "/", name);
    parts[PartOf(recording, options)].push_back(std::move(source));
  }
  if (!options.test_speaker.empty() && speakers.count(options.test_speaker) == 0 && !speakers.empty()) {
    return absl::NotFoundError(absl::StrCat(recordings, ": no recording of test speaker \"", options.test_speaker,
                                            "\"; speakers: ", absl::StrJoin(speakers, ", ")));
  }
  const char* const takes[3] = {"to train on (takes from 10)", "for development (takes 5 to 9)",
                                options.test_speaker.empty() ? "to test on (takes 0 to 4)" : "to test on"};
  for (int part = 0; part < 3; ++part) {
    if (!parts[part].empty()) continue;
    return absl::NotFoundError(absl::StrCat(recordings, ": no recording ", takes[part], "; expected files ", kPattern));
  }
  CorpusSources corpus;
  corpus.kind = "fsdd";
  corpus.train = std::move(parts[kTrain]);
  corpus.dev = std::move(parts[kDev]);
  corpus.test = std::move(parts[kTest]);
  return corpus;
}

bool LooksLikeFsdd(const std::string& folder) {
  const auto names = ListFiles(RecordingsFolder(folder));
  if (!names.ok()) return false;
  for (const std::string& name : *names) {
    Recording recording;
    if (ParseName(name, &recording)) return true;
  }
  return false;
}

}  // namespace earshot
