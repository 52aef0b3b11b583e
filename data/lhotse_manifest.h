// Lhotse's manifests as JSONL: recordings with supervisions, and cuts (lhotse.readthedocs.io, "Corpora" and "Cuts").
#ifndef EARSHOT_DATA_LHOTSE_MANIFEST_H_
#define EARSHOT_DATA_LHOTSE_MANIFEST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/lhotse_recording.h"
#include "data/line_reader.h"
#include "data/manifest_builder.h"

namespace earshot {

// One utterance a supervision, cut out of its recording at the supervision's times; one that covers its recording, to
// the sample, is the whole of it, and an end that lies behind the recording's by less than a millisecond is taken for
// it. Its id is the supervision's; text and speaker may be missing. Read of a recording are id, sources, sampling_rate,
// num_samples and channel_ids: a source of the type "file" (or "command", if allowed); a supervision's channel is one
// of the recording's, or a list of all of them, for their mean. Refused by name: sources of other types (url, memory,
// shar), channels that lie in several files when all are wanted, and `transforms` (speed, resampling ...), which would
// make other audio than the file has. All else (language, alignment, custom ...) is ignored. A supervision whose
// recording is missing is an error, a recording without supervision a warning. Both contents may be packed with gzip.
// Paths stay as they are written.
class LhotseRecordings {
 public:
  static absl::StatusOr<LhotseRecordings> Parse(absl::string_view content, absl::string_view name);
  static absl::StatusOr<LhotseRecordings> Parse(LineReader* lines);

  const std::string& name() const { return name_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  int64_t size() const { return static_cast<int64_t>(recordings_.size()); }
  const LhotseRecording& operator[](int64_t i) const { return recordings_[i]; }
  int64_t Find(absl::string_view id) const;  // -1: there is none

 private:
  std::string name_;
  std::vector<LhotseRecording> recordings_;  // by id
  std::vector<std::string> warnings_;
};

absl::StatusOr<Manifest> ParseLhotseSupervisions(absl::string_view content, absl::string_view name,
                                                 const LhotseRecordings& recordings,
                                                 const ManifestOptions& options = {});
absl::StatusOr<Manifest> ParseLhotseSupervisions(LineReader* lines, const LhotseRecordings& recordings,
                                                 const ManifestOptions& options);

// Cuts of the types MonoCut and MultiCut (Cut, of before Lhotse 0.8), with their recording: again one utterance a
// supervision, whose times count from the begin of the cut. A cut without supervision is an utterance without text that
// has the cut's id, times and channel. Ready-made features in a cut are ignored, as they are made anew from the audio;
// a cut with features only, a MixedCut and a PaddingCut are refused by name.
absl::StatusOr<Manifest> ParseLhotseCuts(absl::string_view content, absl::string_view name,
                                         const ManifestOptions& options = {});
absl::StatusOr<Manifest> ParseLhotseCuts(LineReader* lines, const ManifestOptions& options);

}  // namespace earshot

#endif  // EARSHOT_DATA_LHOTSE_MANIFEST_H_
