// The recordings that a list of utterances is cut out of: ids, and what their headers say.
#ifndef EARSHOT_DATA_SOURCE_RECORDINGS_H_
#define EARSHOT_DATA_SOURCE_RECORDINGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/utterance_source.h"

namespace earshot {

struct SourceRecording {
  const UtteranceSource* first = nullptr;  // of its utterances
  int64_t utterances = 0;
  std::string id;
  // Of the header; 0 until ReadHeader.
  int sample_rate = 0, channels = 0;
  int64_t frames = 0;

  double duration() const { return static_cast<double>(frames) / sample_rate; }  // seconds
};

// The part of its recording that an utterance is, in seconds.
struct RecordingSpan {
  double begin = 0, duration = 0;
};

class SourceRecordings {
 public:
  // `sources` must outlive the object. Ids are distinct: what the sources say, else the id of the only utterance, else
  // the name of the file, with "-2", "-3" ... where that is taken.
  explicit SourceRecordings(const std::vector<UtteranceSource>& sources);

  // In the order of their first utterance.
  std::vector<SourceRecording>& all() { return recordings_; }
  SourceRecording& Of(const UtteranceSource& source) { return recordings_[index_.at(source.audio)]; }

  // Reads the header, once; where that does not know the length, the whole file.
  static absl::Status ReadHeader(SourceRecording* recording);

 private:
  void MakeIds();

  std::vector<SourceRecording> recordings_;
  absl::flat_hash_map<absl::string_view, int64_t> index_;  // by path or command
};

// Where `source` lies in its recording, whose header has been read. Its end is cut to the recording's.
// InvalidArgument for one that begins behind the end.
absl::StatusOr<RecordingSpan> SpanOf(const UtteranceSource& source, const SourceRecording& recording);

// The duration that the list states, where begin and end agree with it, to the bit; else their difference. -1 for an
// utterance that runs to an end that is not stated.
double StatedDuration(const UtteranceSource& source);

}  // namespace earshot

#endif  // EARSHOT_DATA_SOURCE_RECORDINGS_H_
