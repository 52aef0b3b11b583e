// What //asr:features does, behind its flags.
#ifndef EARSHOT_ASR_FEATURES_RUN_H_
#define EARSHOT_ASR_FEATURES_RUN_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace earshot {

struct FeaturesRunOptions {
  std::string config;             // path of a FeatureConfig as .textproto; empty: the defaults of data/data.proto
  std::vector<std::string> sets;  // textprotos merged over it
  // Each one of data/input_list.h, a table ark:FILE, scp:FILE or scp,p:FILE (data/kaldi_table.h), or a folder with a
  // corpus (data/corpus.h), of which all parts are taken.
  std::vector<std::string> inputs;
  // FILE.npy, FILE.htk      one utterance
  // npy:FOLDER, htk:FOLDER  a file ID.npy or ID.htk for each
  // ark:F  ark,t:F  ark,scp:F,G  ark,t,scp:F,G  archives (data/kaldi_table.h)
  // kaldi:FOLDER            a Kaldi data directory with feats.ark and feats.scp; of a corpus alone, one for each part
  std::string out;
  std::string compress;         // "", "cm", "cm2", "cm3": of binary archives
  bool allow_commands = false;  // shell commands in lists
  int threads = 0;              // 0: all that this process may use; the files are the same for any number
};

// Writes the features of every utterance before normalisation, in the order of the inputs. Features that come ready
// are taken as they are, unless the configuration has precomputed_dims. An utterance that cannot be read, or that is
// shorter than a window, is one line on stderr and left out; then, or when nothing is left, the result is an error.
absl::Status RunFeatures(const FeaturesRunOptions& options);

}  // namespace earshot

#endif  // EARSHOT_ASR_FEATURES_RUN_H_
