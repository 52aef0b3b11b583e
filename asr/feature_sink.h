// Where //asr:features writes to.
#ifndef EARSHOT_ASR_FEATURE_SINK_H_
#define EARSHOT_ASR_FEATURE_SINK_H_

#include <memory>
#include <string>
#include <unordered_set>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/tensor.h"
#include "data/data.pb.h"
#include "data/utterance_source.h"

namespace earshot {

class FeatureSink {
 public:
  // `out` and `compress` as FeaturesRunOptions has them, relative paths from where the user is. `config` is what the
  // features are made with: an HTK file says so. InvalidArgument names `out`.
  static absl::StatusOr<std::unique_ptr<FeatureSink>> Create(const std::string& out, const std::string& compress,
                                                             const FeatureConfig& config);
  virtual ~FeatureSink() = default;

  // `ready`: the features were not made with the configuration. An id twice is an error.
  absl::Status Write(const UtteranceSource& source, bool ready, TensorView<const float, 2> features);
  // Archives and lists appear here, whole.
  virtual absl::Status Close() { return absl::OkStatus(); }

 private:
  virtual absl::Status DoWrite(const UtteranceSource& source, bool ready, TensorView<const float, 2> features) = 0;

  std::unordered_set<std::string> ids_;
};

// The folder of "kaldi:FOLDER", without white space at its ends; empty for every other `out`.
std::string KaldiFolder(const std::string& out);

}  // namespace earshot

#endif  // EARSHOT_ASR_FEATURE_SINK_H_
