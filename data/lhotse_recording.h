// The objects of which Lhotse's manifests are made, as far as they matter here.
#ifndef EARSHOT_DATA_LHOTSE_RECORDING_H_
#define EARSHOT_DATA_LHOTSE_RECORDING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/json_cursor.h"
#include "data/line_reader.h"
#include "data/manifest_builder.h"
#include "data/utterance_source.h"

namespace earshot {

// A file (or command) with some channels of a recording.
struct LhotseSource {
  std::string path;
  bool is_command = false;
  std::vector<int> channels;  // ids, in the order of the file's channels
};

struct LhotseRecording {
  std::string id;
  std::vector<LhotseSource> sources;
  double duration = -1;        // seconds, of its number of samples
  double sample_duration = 0;  // seconds
  int64_t line = 0;            // of its manifest
};

struct LhotseSupervision {
  std::string id, recording_id, text, speaker;
  double start = -1, duration = -1;  // seconds; -1: missing
  std::vector<int> channels;         // ids; empty: all
};

// Each reads one object at the cursor, which is on the current line of `lines`.
absl::Status ReadLhotseRecording(const LineReader& lines, JsonCursor* cursor, LhotseRecording* recording);
// `relative`: the times count from a cut's begin, and the start may lie before it.
absl::Status ReadLhotseSupervision(const LineReader& lines, bool relative, JsonCursor* cursor,
                                   LhotseSupervision* supervision);

// A channel, or a list of channels.
absl::Status ReadLhotseChannels(JsonCursor* cursor, std::vector<int>* channels);
// Seconds of at least `least` (0 or -kMaxManifestSeconds), at most kMaxManifestSeconds.
absl::Status ReadLhotseSeconds(double least, JsonCursor* cursor, double* seconds);

// The part of a recording that is an utterance. `supervision`'s times count from the recording's begin here.
absl::StatusOr<UtteranceSource> MakeLhotseSource(const LineReader& lines, const LhotseRecording& recording,
                                                 const LhotseSupervision& supervision);

}  // namespace earshot

#endif  // EARSHOT_DATA_LHOTSE_RECORDING_H_
