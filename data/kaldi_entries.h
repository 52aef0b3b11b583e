// What belongs to one id in the files of a Kaldi data directory. Errors as KaldiTextFile::Error gives them.
#ifndef EARSHOT_DATA_KALDI_ENTRIES_H_
#define EARSHOT_DATA_KALDI_ENTRIES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "data/kaldi_text.h"
#include "data/utterance_source.h"

namespace earshot {

// wav.scp, feats.scp: a path, or a command, which ends in '|' (its mark is taken off `entry`).
absl::Status ParseScpEntry(const KaldiTextFile& scp, int64_t i, bool allow_commands, std::string* entry,
                           bool* is_command);

// segments: RECORDING BEGIN END [CHANNEL], in seconds.
absl::Status ParseSegment(const KaldiTextFile& segments, int64_t i, UtteranceSource* source);

// utt2spk: one id.
absl::Status ParseSpeaker(const KaldiTextFile& utt2spk, int64_t i, std::string* speaker);

// utt2dur: seconds, above 0.
absl::Status ParseDuration(const KaldiTextFile& utt2dur, int64_t i, double* duration);

// spk2utt says what utt2spk says: no utterance twice or with another speaker. A warning where one of them lacks some.
absl::Status CheckSpeakers(const KaldiTextFile& utt2spk, const KaldiTextFile& spk2utt,
                           std::vector<std::string>* warnings);

// cmvn.scp has an entry for each speaker, or else for each utterance: a warning if not.
void CheckCmvn(const KaldiTextFile& cmvn_scp, const std::vector<UtteranceSource>& utterances,
               std::vector<std::string>* warnings);

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_ENTRIES_H_
