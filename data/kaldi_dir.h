// A Kaldi data directory: wav.scp, segments, text, utt2spk, spk2utt, utt2dur, feats.scp, cmvn.scp.
// https://kaldi-asr.org/doc/data_prep.html; checked as utils/validate_data_dir.sh checks it, and read where it can be.
#ifndef EARSHOT_DATA_KALDI_DIR_H_
#define EARSHOT_DATA_KALDI_DIR_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "data/utterance_source.h"

namespace earshot {

struct KaldiOptions {
  // Entries of wav.scp and feats.scp that are shell commands ("sph2pipe x.sph |") run when their utterance is opened.
  // False: they are errors (of wav.scp beside feats.scp: left out with a warning; the features are used).
  bool allow_commands = false;
};

struct KaldiDirectory {
  std::vector<UtteranceSource> utterances;  // by id, in the order of bytes (LC_ALL=C) whatever the files' own order is
  std::vector<std::string> warnings;        // one line each: what was odd, where, and what was made of it
};

// What the files hold; nullopt: there is no such file.
struct KaldiFiles {
  absl::optional<std::string> wav_scp, segments, text, utt2spk, spk2utt, utt2dur, feats_scp, cmvn_scp;
};

// The directory that these files are, `folder` being its name in messages. There must be wav.scp (with segments, of
// recordings; else of utterances), feats.scp, or both; all others may be missing. Used are the utterances that have an
// entry in each of segments (or wav.scp), feats.scp, text and utt2spk that is there; an utterance of segments must also
// have its recording. The others are left out, with a warning; more than half of all: an error. Paths stay as they are
// written.
// Errors name the file, the line, what was expected and what was found: see data/kaldi_text.h for what all files share;
// segments: numbers, begin < end (or -1: to the end), a fifth field is the channel counted from 0; utt2spk: one
// speaker; utt2dur: a number above 0; spk2utt: against utt2spk; scp: no command unless allowed, no standard input.
// cmvn.scp is checked (does each speaker or utterance have an entry?) but not applied.
absl::StatusOr<KaldiDirectory> ParseKaldiDirectory(const KaldiFiles& files, const std::string& folder,
                                                   const KaldiOptions& options = {});

// Reads and parses the files of a folder. A relative path in wav.scp or feats.scp is one from the directory in which
// the user typed the command, as in Kaldi; where no file of a list (of its first hundred) is found in this way but one
// is from `folder`, all of that list are from `folder`.
absl::StatusOr<KaldiDirectory> ReadKaldiDirectory(const std::string& folder, const KaldiOptions& options = {});

// Makes the relative paths of `sources` ones from where the user is, or from `folder`: of audio and of features each as
// ReadKaldiDirectory does it.
void ResolveKaldiPaths(const std::string& folder, std::vector<UtteranceSource>* sources);

// True for a folder with wav.scp or feats.scp.
bool LooksLikeKaldiDirectory(const std::string& folder);

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_DIR_H_
