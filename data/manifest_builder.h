// What all kinds of manifests share: the checks of an utterance, and ids for those that have none.
#ifndef EARSHOT_DATA_MANIFEST_BUILDER_H_
#define EARSHOT_DATA_MANIFEST_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/line_reader.h"
#include "data/utterance_source.h"

namespace earshot {

struct ManifestOptions {
  // Audio that is a shell command ("sph2pipe x.sph |", Lhotse's "type": "command") runs when its utterance is opened.
  // False: it is an error.
  bool allow_commands = false;
};

struct Manifest {
  std::string kind;                         // "nemo", "lhotse" or "tsv"
  std::vector<UtteranceSource> utterances;  // in the order of the file
  std::vector<std::string> warnings;        // one line each: what was odd, where, and what was made of it
  bool made_ids = false;                    // some ids were made from the names of files
  bool is_common_voice = false;             // relative paths start in a folder clips/
};

// Times as lists give them; negative when absent.
struct ManifestTimes {
  double begin = -1, end = -1, duration = -1;
};

class ManifestBuilder {
 public:
  // `lines` is where the utterances come from: errors name its current line. It must outlive the builder.
  ManifestBuilder(absl::string_view kind, const LineReader& lines, const ManifestOptions& options);

  // Adds one utterance. White space in its text becomes single spaces (that of Unicode too, with a warning) and in its
  // speaker and recording "_" (with a warning); what is unprintable is refused; audio that ends in '|' is a command;
  // ids and speakers must pass IdProblem (data/kaldi_text.h).
  absl::Status Add(UtteranceSource source);

  // Sets begin, end and duration of `source`. With `begin` or `end` the utterance is cut out, of `duration` where there
  // is no end; without either it is the whole recording, and a duration is only noted.
  absl::Status SetTimes(const ManifestTimes& times, UtteranceSource* source) const;

  // A time of the field `name`: finite, at least 0, at most kMaxManifestSeconds.
  absl::Status CheckSeconds(absl::string_view name, double seconds) const;

  void Warn(absl::string_view what);  // of the current line

  // All of them, at least one. Ids that are missing are made from the audio's file name, "x" of "a/x.wav" (with "_" for
  // what no id may have), with "-2", "-3" ... where that is taken. An id twice is an error that names both lines.
  absl::StatusOr<Manifest> Finish(bool want_line_end);

 private:
  absl::Status CheckText(std::string* text);
  absl::Status CheckName(absl::string_view what, std::string* name);
  absl::Status CheckId(absl::string_view what, absl::string_view id) const;
  absl::Status CheckAudio(UtteranceSource* source) const;
  absl::Status MakeIds();

  const LineReader& lines_;
  const ManifestOptions options_;
  Manifest manifest_;
  std::vector<int64_t> line_numbers_;            // of the utterances
  bool odd_spaces_ = false, odd_names_ = false;  // have been warned of
};

}  // namespace earshot

#endif  // EARSHOT_DATA_MANIFEST_BUILDER_H_
