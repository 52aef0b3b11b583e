// What a user names on the command line of a program that works on recordings: files, folders and lists of them.
#ifndef EARSHOT_DATA_INPUT_LIST_H_
#define EARSHOT_DATA_INPUT_LIST_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "data/utterance_source.h"

namespace earshot {

struct InputOptions {
  bool allow_commands = false;  // shell commands in lists: see data/kaldi_dir.h and data/manifest.h
};

struct InputList {
  std::vector<UtteranceSource> utterances;
  std::vector<std::string> warnings;  // one line each
  std::vector<absl::Status> errors;   // of inputs that cannot be read, or not to their end: nothing is listed of these
};

// Each of `inputs`, in their order, recognised by its content:
//   -           one recording on standard input, with the id "stdin"
//   folder      a Kaldi data directory, else the recordings (*.wav, *.flac, *.aif, *.aiff, *.aifc, *.sph, *.nist) and
//               features (*.npy and HTK's) in it, by name
//   recording   data/audio_file.h; its id is the file's name without the extension, with "_" for what no id may have
//   manifest    data/manifest.h
//   features    npy, HTK, or one Kaldi matrix; the id as of a recording
//   scp         lines "ID LOCATION" of recordings or features, relative to the user's folder, else to the list's
// Errors name the input, and in a list the line; one input has no say about the others. Ids may come twice.
InputList ListInputs(const std::vector<std::string>& inputs, const InputOptions& options = {});

}  // namespace earshot

#endif  // EARSHOT_DATA_INPUT_LIST_H_
