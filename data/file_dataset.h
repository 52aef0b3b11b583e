// A corpus part whose utterances lie in files.
#ifndef EARSHOT_DATA_FILE_DATASET_H_
#define EARSHOT_DATA_FILE_DATASET_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/dataset.h"
#include "data/recording_cache.h"
#include "data/utterance_source.h"

namespace earshot {

class FileDataset : public Dataset {
 public:
  // Segments of recordings share the last decoded ones: see recording_cache.h for `cache_bytes`.
  explicit FileDataset(std::vector<UtteranceSource> sources, int64_t cache_bytes = kRecordingCacheBytes)
      : sources_(std::move(sources)), cache_(cache_bytes) {}

  int64_t size() const override { return static_cast<int64_t>(sources_.size()); }
  Utterance Describe(int64_t i) const override;
  // The features where the source has some, else the waveform. Errors name the file and the utterance.
  absl::StatusOr<Utterance> Get(int64_t i) const override;
  const std::vector<UtteranceSource>& sources() const { return sources_; }

 private:
  absl::Status ReadWaveform(const UtteranceSource& source, Utterance* utterance) const;
  absl::Status ReadFeatures(const UtteranceSource& source, Utterance* utterance) const;

  std::vector<UtteranceSource> sources_;
  mutable RecordingCache cache_;
};

}  // namespace earshot

#endif  // EARSHOT_DATA_FILE_DATASET_H_
