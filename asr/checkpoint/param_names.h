// The names that the parts of a network's flat parameter vector have in a checkpoint: PyTorch's, so that the tensors
// under "lstm." are what torch.nn.LSTM.load_state_dict takes and those under "output." are a torch.nn.Linear.
#ifndef EARSHOT_ASR_CHECKPOINT_PARAM_NAMES_H_
#define EARSHOT_ASR_CHECKPOINT_PARAM_NAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "asr/checkpoint/checkpoint.h"
#include "lstm/lstm.h"

namespace earshot {

struct ParamTensor {
  std::string
      name;  // "lstm.weight_ih_l0", "lstm.bias_ih_l1_reverse", "lstm.peephole_i_l0", "lstm.h0_l0", "output.weight"
  std::vector<int64_t> shape;
  int64_t offset = 0;  // in the flat vector
  int64_t size = 0;
};

// In the order of the flat vector and without gaps: the levels as lstm/lstm_params.h lays them out, then output.weight
// [C, D*H of the last level] and, with output_bias, output.bias [C].
std::vector<ParamTensor> ParamTensors(absl::Span<const LstmLevelConfig> levels, int num_classes, bool output_bias);

// Copies the flat vector into tensors called prefix + name. With an empty prefix (the parameters themselves, not
// moments or averages of them) PyTorch's second biases, lstm.bias_hh_*, are added as zeros.
void AddParams(absl::Span<const float> flat, absl::Span<const ParamTensor> layout, absl::string_view prefix,
               Checkpoint* checkpoint);

// OK when ReadParams would be. Takes no memory for the parameters: for a network that the checkpoint itself describes.
absl::Status CheckParams(const Checkpoint& checkpoint, absl::Span<const ParamTensor> layout, absl::string_view prefix);

// The opposite of AddParams. A bias_hh that is not zero, of a model trained elsewhere, is added to its bias_ih. Errors
// when a tensor is missing, has another shape, or is one too many under prefix + "lstm." or prefix + "output."; they
// name the tensor (the caller knows the file).
absl::Status ReadParams(const Checkpoint& checkpoint, absl::Span<const ParamTensor> layout, absl::string_view prefix,
                        absl::Span<float> flat);

}  // namespace earshot

#endif  // EARSHOT_ASR_CHECKPOINT_PARAM_NAMES_H_
