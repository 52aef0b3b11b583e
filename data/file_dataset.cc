#include "data/file_dataset.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/recording.h"

namespace earshot {

Utterance FileDataset::Describe(int64_t i) const {
  CHECK(i >= 0 && i < size()) << i;
  Utterance utterance;
  utterance.id = sources_[i].id;
  utterance.speaker = sources_[i].speaker;
  utterance.text = sources_[i].text;
  return utterance;
}

absl::StatusOr<Utterance> FileDataset::Get(int64_t i) const {
  Utterance utterance = Describe(i);
  const absl::Status status = ReadWaveform(sources_[i], &utterance);
  if (status.ok()) return utterance;
  return absl::Status(status.code(), absl::StrCat(status.message(), " (utterance ", Quoted(sources_[i].id), ")"));
}

absl::Status FileDataset::ReadWaveform(const UtteranceSource& source, Utterance* utterance) const {
  const bool whole = source.begin_seconds == 0 && source.end_seconds == -1;
  if (whole) {
    ASSIGN_OR_RETURN(Audio audio, ReadRecording(source));
    utterance->sample_rate = audio.sample_rate;
    utterance->waveform = std::move(audio.waveform);
    return absl::OkStatus();
  }
  const std::string key = absl::StrCat(source.audio_is_command ? "command" : "file", source.channel, " ", source.audio);
  ASSIGN_OR_RETURN(const std::shared_ptr<const Audio> audio, cache_.Get(key, [&] { return ReadRecording(source); }));
  const std::vector<float>& samples = audio->waveform;
  ASSIGN_OR_RETURN(const SampleRange range, SegmentSamples(source, samples.size(), audio->sample_rate));
  utterance->sample_rate = audio->sample_rate;
  utterance->waveform.assign(samples.begin() + range.begin, samples.begin() + range.end);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> ListFiles(const std::string& folder) {
  const auto close = [](DIR* directory) { closedir(directory); };
  const std::unique_ptr<DIR, decltype(close)> directory(opendir(folder.c_str()), close);
  if (directory == nullptr) return absl::NotFoundError(absl::StrCat(folder, ": ", std::strerror(errno)));
  std::vector<std::string> names;
  while (const dirent* entry = readdir(directory.get())) {
    const std::string name = entry->d_name;
    const bool regular =
        entry->d_type == DT_REG || (entry->d_type != DT_DIR && IsRegularFile(absl::StrCat(folder, "/", name)));
    if (regular) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool IsDirectory(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool IsRegularFile(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

}  // namespace earshot
