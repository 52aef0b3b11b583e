// The Free Spoken Digit Dataset (github.com/Jakobovski/free-spoken-digit-dataset): single digits at 8 kHz in files
// named {digit}_{speaker}_{take}.wav.
#ifndef EARSHOT_DATA_FSDD_H_
#define EARSHOT_DATA_FSDD_H_

#include <string>

#include "absl/status/statusor.h"
#include "data/corpus_sources.h"

namespace earshot {

struct FsddOptions {
  // Empty: the official split, test = takes 0 to 4 of every speaker; dev = takes 5 to 9, train = the other takes.
  // A speaker's name: leave-one-speaker-out. test = all takes of that speaker; of the other speakers, dev = takes 5 to
  // 9 and train = the other takes (0 to 4 too).
  std::string test_speaker;
};

// `folder` holds the files, or has a folder recordings/ with them. Other files than *.wav are ignored. Every text is
// one of "zero" ... "nine"; ids are the file names without ".wav". Errors name the folder or file and what was
// expected.
absl::StatusOr<CorpusSources> ListFsdd(const std::string& folder, const FsddOptions& options = {});

// Whether ListFsdd would find a file of FSDD's pattern.
bool LooksLikeFsdd(const std::string& folder);

}  // namespace earshot

#endif  // EARSHOT_DATA_FSDD_H_
