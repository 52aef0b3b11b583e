// Reads a corpus part, computes and normalises its features, encodes its texts: Dataset -> ExampleStore.
#ifndef EARSHOT_DATA_EXAMPLE_LOADER_H_
#define EARSHOT_DATA_EXAMPLE_LOADER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/cmvn.h"
#include "data/data.pb.h"
#include "data/dataset.h"
#include "data/example_store.h"
#include "data/features.h"
#include "data/tokens.h"

namespace earshot {

enum class LabelKind {
  kSequence,  // the text's tokens
  kClass,     // the text must be exactly one token
};

struct LoadOptions {
  LabelKind labels = LabelKind::kSequence;
  // Versions of the waveform to make features of: 1.1 is a tenth faster and higher, as if the recording were played at
  // another speed. Empty: as it is.
  std::vector<float> speeds;
  // Keep utterances with unknown tokens, with the labels that are known: they must count when a test set is scored.
  // (kSequence only: a class that is not known leaves no label.)
  bool keep_unknown_tokens = false;
  int num_threads = 0;  // 0: all CPUs of this process; the result is the same for any number
};

struct SkippedUtterance {
  std::string id, text;
  std::string reason;
};

struct LoadedExamples {
  ExampleStore store;
  std::vector<std::string> texts;         // [store.size()] references, as the corpus has them
  std::vector<SkippedUtterance> skipped;  // in the order of the corpus
};

// Features of all utterances of `dataset`, normalised as the extractor's configuration says. `global` are the
// statistics of the training set for GLOBAL normalisation: null makes them of this set (all speeds), and they are then
// in *made if that is not null. SPEAKER statistics are always this set's own. An utterance whose audio cannot be read,
// that is shorter than one window, or whose text has unknown tokens (see LoadOptions) is skipped and reported; the call
// itself fails when nothing is left.
absl::StatusOr<LoadedExamples> LoadExamples(const Dataset& dataset, const FeatureExtractor& extractor,
                                            const TokenTable& tokens, const NormalizationStats* global,
                                            NormalizationStats* made, const LoadOptions& options);

// One line for people: "3 utterances skipped: a (why); b (why); ..." with the first few; empty for none.
std::string DescribeSkipped(const std::vector<SkippedUtterance>& skipped);

// The factors of the statics' normalisation that Augment() wants: [block]. What a gain of 1 in log energy adds to the
// normalised column: inverse deviation, half of it for the bins of a magnitude spectrum. All 0 with UTTERANCE and
// SPEAKER normalisation, which take a constant away. `stats` may be null with NONE.
std::vector<float> StaticsScale(const FeatureConfig& config, const NormalizationStats* stats);

}  // namespace earshot

#endif  // EARSHOT_DATA_EXAMPLE_LOADER_H_
