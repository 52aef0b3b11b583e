#include "data/kaldi_dir.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/kaldi_entries.h"
#include "data/kaldi_location.h"
#include "data/kaldi_text.h"
#include "data/limits.h"

namespace earshot {
namespace {

constexpr int64_t kPathsProbed = 100;
constexpr size_t kIdsShown = 5;

struct TextFiles {
  absl::optional<KaldiTextFile> wav_scp, segments, text, utt2spk, spk2utt, utt2dur, feats_scp, cmvn_scp;
};

absl::Status ParseFile(const absl::optional<std::string>& content, const std::string& folder, const char* name,
                       const KaldiTextOptions& options, std::vector<std::string>* warnings,
                       absl::optional<KaldiTextFile>* file) {
  if (!content.has_value()) return absl::OkStatus();
  ASSIGN_OR_RETURN(*file, KaldiTextFile::Parse(*content, absl::StrCat(folder, "/", name), options, warnings));
  return absl::OkStatus();
}

absl::Status ParseFiles(const KaldiFiles& files, const std::string& folder, std::vector<std::string>* warnings,
                        TextFiles* parsed) {
  KaldiTextOptions plain, words, speakers;
  words.values_may_be_empty = true;
  words.values_are_words = true;
  speakers.long_lines = true;
  RETURN_IF_ERROR(ParseFile(files.wav_scp, folder, "wav.scp", plain, warnings, &parsed->wav_scp));
  RETURN_IF_ERROR(ParseFile(files.segments, folder, "segments", plain, warnings, &parsed->segments));
  RETURN_IF_ERROR(ParseFile(files.text, folder, "text", words, warnings, &parsed->text));
  RETURN_IF_ERROR(ParseFile(files.utt2spk, folder, "utt2spk", plain, warnings, &parsed->utt2spk));
  RETURN_IF_ERROR(ParseFile(files.spk2utt, folder, "spk2utt", speakers, warnings, &parsed->spk2utt));
  RETURN_IF_ERROR(ParseFile(files.utt2dur, folder, "utt2dur", plain, warnings, &parsed->utt2dur));
  RETURN_IF_ERROR(ParseFile(files.feats_scp, folder, "feats.scp", plain, warnings, &parsed->feats_scp));
  return ParseFile(files.cmvn_scp, folder, "cmvn.scp", plain, warnings, &parsed->cmvn_scp);
}

// A file that has one entry an utterance, and where in it the walk over all such files is.
struct Column {
  const KaldiTextFile* file;
  int64_t at = 0;
  bool here = false;  // has an entry for the utterance in question
  int64_t missing = 0;
  std::vector<std::string> missing_ids;  // the first few

  void Miss(absl::string_view id) {
    ++missing;
    if (missing_ids.size() < kIdsShown) missing_ids.push_back(Quoted(id));
  }
};

// Walks through all files at once, by id.
class Merge {
 public:
  Merge(const TextFiles& files, const KaldiOptions& options) : files_(files), options_(options) {
    audio_ = Add(files.segments.has_value() ? files.segments : files.wav_scp);
    feats_ = Add(files.feats_scp);
    text_ = Add(files.text);
    speaker_ = Add(files.utt2spk);
    if (files.segments.has_value() && files.wav_scp.has_value()) {
      recording_.file = &*files.wav_scp;
    }
    int64_t fewest = columns_[0].file->size();
    for (const Column& column : columns_) fewest = std::min(fewest, column.file->size());
    sources_.reserve(fewest);
  }

  absl::Status Run(const std::string& folder, KaldiDirectory* directory) {
    for (absl::string_view id = Smallest(); id.data() != nullptr; id = Smallest()) {
      ++all_;
      bool complete = true;
      for (Column& column : columns_) {
        column.here = column.at < column.file->size() && column.file->id(column.at) == id;
        if (!column.here) column.Miss(id);
        complete &= column.here;
      }
      if (complete) RETURN_IF_ERROR(AddSource(id));
      for (Column& column : columns_) column.at += column.here;
    }
    RETURN_IF_ERROR(TellMissing(folder, &directory->warnings));
    if (commands_left_out_ > 0) {
      directory->warnings.push_back(absl::StrCat(files_.wav_scp->name(), ": ", commands_left_out_,
                                                 " commands are left out (--allow_commands); feats.scp is used"));
    }
    if (no_duration_ > 0) {
      directory->warnings.push_back(absl::StrCat(files_.utt2dur->name(), ": ", no_duration_, " of ", sources_.size(),
                                                 " utterances have no duration"));
    }
    directory->utterances = std::move(sources_);
    return absl::OkStatus();
  }

 private:
  int Add(const absl::optional<KaldiTextFile>& file) {
    if (!file.has_value()) return -1;
    columns_.emplace_back();
    columns_.back().file = &*file;
    return static_cast<int>(columns_.size()) - 1;
  }

  absl::string_view Smallest() const {
    absl::string_view smallest;
    for (const Column& column : columns_) {
      if (column.at == column.file->size()) continue;
      const absl::string_view id = column.file->id(column.at);
      if (smallest.data() == nullptr || id < smallest) smallest = id;
    }
    return smallest;
  }

  absl::Status AddSource(absl::string_view id) {
    UtteranceSource source;
    source.id = std::string(id);
    int64_t wav = -1;
    if (files_.segments.has_value()) {
      RETURN_IF_ERROR(ParseSegment(*files_.segments, columns_[audio_].at, &source));
      if (recording_.file != nullptr) {
        wav = recording_.file->Find(source.recording);
        if (wav < 0) {
          recording_.Miss(id);
          return absl::OkStatus();
        }
      }
    } else if (files_.wav_scp.has_value()) {
      wav = columns_[audio_].at;
    }
    if (wav >= 0) RETURN_IF_ERROR(SetAudio(wav, &source));
    if (feats_ >= 0) {
      RETURN_IF_ERROR(ParseScpEntry(*files_.feats_scp, columns_[feats_].at, options_.allow_commands, &source.features,
                                    &source.features_is_command));
    }
    if (text_ >= 0) source.text = SingleSpaces(files_.text->value(columns_[text_].at));
    if (speaker_ >= 0) RETURN_IF_ERROR(ParseSpeaker(*files_.utt2spk, columns_[speaker_].at, &source.speaker));
    if (files_.utt2dur.has_value()) RETURN_IF_ERROR(SetDuration(&source));
    sources_.push_back(std::move(source));
    return absl::OkStatus();
  }

  // Nobody asks for the audio where there are features, so a command that may not run is no error then.
  absl::Status SetAudio(int64_t wav, UtteranceSource* source) {
    const bool parse_commands = options_.allow_commands || feats_ >= 0;
    RETURN_IF_ERROR(ParseScpEntry(*files_.wav_scp, wav, parse_commands, &source->audio, &source->audio_is_command));
    if (source->audio_is_command && !options_.allow_commands) {
      ++commands_left_out_;
      source->audio.clear();
      source->audio_is_command = false;
    }
    return absl::OkStatus();
  }

  absl::Status SetDuration(UtteranceSource* source) {
    const KaldiTextFile& utt2dur = *files_.utt2dur;
    while (duration_at_ < utt2dur.size() && utt2dur.id(duration_at_) < source->id) ++duration_at_;
    if (duration_at_ == utt2dur.size() || utt2dur.id(duration_at_) != source->id) {
      ++no_duration_;
      return absl::OkStatus();
    }
    return ParseDuration(utt2dur, duration_at_, &source->duration_seconds);
  }

  absl::Status TellMissing(const std::string& folder, std::vector<std::string>* warnings) const {
    const int64_t used = static_cast<int64_t>(sources_.size());
    if (all_ == 0) return absl::InvalidArgumentError(absl::StrCat(folder, ": expected utterances, found none"));
    if (used == all_) return absl::OkStatus();
    std::string reasons;
    std::vector<const Column*> columns;
    for (const Column& column : columns_) columns.push_back(&column);
    columns.push_back(&recording_);
    for (const Column* column : columns) {
      if (column->missing == 0) continue;
      const absl::string_view path = column->file->name();
      absl::StrAppend(&reasons, "; ", column->missing, " without an entry in ", path.substr(path.rfind('/') + 1), " (",
                      absl::StrJoin(column->missing_ids, ", "),
                      column->missing > static_cast<int64_t>(column->missing_ids.size()) ? ", ...)" : ")");
    }
    if (used < all_ - used) {
      return absl::InvalidArgumentError(absl::StrCat(folder, ": expected the same utterances in all files, found ",
                                                     used, " of ", all_, " in all", reasons));
    }
    warnings->push_back(absl::StrCat(folder, ": ", used, " of ", all_, " utterances are used", reasons));
    return absl::OkStatus();
  }

  const TextFiles& files_;
  const KaldiOptions& options_;
  std::vector<Column> columns_;
  int audio_ = -1, feats_ = -1, text_ = -1, speaker_ = -1;  // in columns_
  Column recording_ = {};                                   // wav.scp when there are segments
  int64_t duration_at_ = 0, no_duration_ = 0, commands_left_out_ = 0;
  int64_t all_ = 0;
  std::vector<UtteranceSource> sources_;
};

}  // namespace

absl::StatusOr<KaldiDirectory> ParseKaldiDirectory(const KaldiFiles& files, const std::string& folder,
                                                   const KaldiOptions& options) {
  if (!files.wav_scp.has_value() && !files.feats_scp.has_value()) {
    return absl::NotFoundError(absl::StrCat(folder, ": expected wav.scp or feats.scp, found neither"));
  }
  KaldiDirectory directory;
  TextFiles parsed;
  RETURN_IF_ERROR(ParseFiles(files, folder, &directory.warnings, &parsed));
  if (!parsed.utt2spk.has_value()) {
    directory.warnings.push_back(absl::StrCat(folder, "/utt2spk: no such file; the speakers are not known"));
  } else if (parsed.spk2utt.has_value()) {
    RETURN_IF_ERROR(CheckSpeakers(*parsed.utt2spk, *parsed.spk2utt, &directory.warnings));
  }
  RETURN_IF_ERROR(Merge(parsed, options).Run(folder, &directory));
  if (parsed.cmvn_scp.has_value()) CheckCmvn(*parsed.cmvn_scp, directory.utterances, &directory.warnings);
  return directory;
}

namespace {

absl::Status ReadOptional(const std::string& path, absl::optional<std::string>* content) {
  absl::StatusOr<std::string> read = ReadFile(path, kMaxListBytes);
  if (absl::IsNotFound(read.status())) return absl::OkStatus();
  RETURN_IF_ERROR(read.status());
  *content = *std::move(read);
  return absl::OkStatus();
}

// "x.ark" of "x.ark:12[0:9]".
std::string FileOf(const std::string& location) {
  const absl::StatusOr<KaldiLocation> parsed = ParseKaldiLocation(location);
  return parsed.ok() ? parsed->path : location;
}

// Makes the relative paths of one list (`path` and `is_command` are members) ones from where the user is, or `folder`.
void ResolvePaths(const std::string& folder, std::string UtteranceSource::*path, bool UtteranceSource::*is_command,
                  std::vector<UtteranceSource>* utterances) {
  std::vector<std::string*> relative;
  for (UtteranceSource& utterance : *utterances) {
    std::string& value = utterance.*path;
    if (!value.empty() && value[0] != '/' && !(utterance.*is_command)) relative.push_back(&value);
  }
  bool in_folder = false;
  for (size_t i = 0; i < relative.size() && i < kPathsProbed; ++i) {
    const std::string file = FileOf(*relative[i]);
    if (IsRegularFile(UserPath(file))) break;
    in_folder = IsRegularFile(absl::StrCat(folder, "/", file));
    if (in_folder) break;
  }
  for (std::string* value : relative) *value = in_folder ? absl::StrCat(folder, "/", *value) : UserPath(*value);
}

}  // namespace

void ResolveKaldiPaths(const std::string& folder, std::vector<UtteranceSource>* sources) {
  ResolvePaths(folder, &UtteranceSource::audio, &UtteranceSource::audio_is_command, sources);
  ResolvePaths(folder, &UtteranceSource::features, &UtteranceSource::features_is_command, sources);
}

absl::StatusOr<KaldiDirectory> ReadKaldiDirectory(const std::string& folder, const KaldiOptions& options) {
  KaldiFiles files;
  const auto path = [&](const char* name) { return absl::StrCat(folder, "/", name); };
  RETURN_IF_ERROR(ReadOptional(path("wav.scp"), &files.wav_scp));
  RETURN_IF_ERROR(ReadOptional(path("segments"), &files.segments));
  RETURN_IF_ERROR(ReadOptional(path("text"), &files.text));
  RETURN_IF_ERROR(ReadOptional(path("utt2spk"), &files.utt2spk));
  RETURN_IF_ERROR(ReadOptional(path("spk2utt"), &files.spk2utt));
  RETURN_IF_ERROR(ReadOptional(path("utt2dur"), &files.utt2dur));
  RETURN_IF_ERROR(ReadOptional(path("feats.scp"), &files.feats_scp));
  RETURN_IF_ERROR(ReadOptional(path("cmvn.scp"), &files.cmvn_scp));
  ASSIGN_OR_RETURN(KaldiDirectory directory, ParseKaldiDirectory(files, folder, options));
  ResolveKaldiPaths(folder, &directory.utterances);
  return directory;
}

bool LooksLikeKaldiDirectory(const std::string& folder) {
  return IsRegularFile(absl::StrCat(folder, "/wav.scp")) || IsRegularFile(absl::StrCat(folder, "/feats.scp"));
}

}  // namespace earshot
