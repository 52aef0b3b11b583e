#include "lstm/registry.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/tolerance.h"
#include "lstm/basic/basic.h"
#include "lstm/blas/blas.h"
#include "lstm/fused_cell/fused_cell.h"
#include "lstm/onednn/onednn.h"
#include "lstm/reference/reference.h"
#include "lstm/simd/simd.h"

namespace earshot {
namespace {

constexpr double kDefaultFactor = kDefaultToleranceFactor;

absl::Status Always() { return absl::OkStatus(); }

// Of the GPU's rows, which are not written yet.
absl::Status NoCuda() { return absl::UnavailableError("built without CUDA"); }
absl::StatusOr<std::unique_ptr<Lstm>> CreateNone(const LstmLevelConfig&, const LstmContext&) { return NoCuda(); }

// "expected one of reference, basic, ...": those that can run here.
std::string Expected() {
  std::vector<absl::string_view> names;
  for (const LstmImplementation& row : LstmImplementations()) {
    if (row.available().ok()) names.push_back(row.name);
  }
  return absl::StrCat("expected one of ", absl::StrJoin(names, ", "));
}

}  // namespace

absl::Span<const LstmImplementation> LstmImplementations() {
  static const auto* const kTable = new std::vector<LstmImplementation>{
      {"reference", "plain loops over one utterance at a time: the definition", "", Device::kCpu, kDefaultFactor, "",
       Always, CreateReference},
      {"basic", "one product a gate a step, primitive element-wise operations",
       "LSTMCell-basic, TF LSTMCell, Keras LSTM, Lasagne LSTMLayer", Device::kCpu, kDefaultFactor, "", Always,
       CreateBasic},
      {"fused_cell", "one product a step, one fused element-wise pass", "LSTMCell-fused, LSTMBlockCell", Device::kCpu,
       kDefaultFactor, "", Always, CreateFusedCell},
      {"blas", "all steps' input product in one, one recurrent product a step, weight gradients in one",
       "LSTMBlockFusedCell, CURRENNT", Device::kCpu, kDefaultFactor, "", Always, CreateBlas},
      {"onednn", "oneDNN's LSTM primitives, each thread with utterances of its own",
       "the vendor library on the CPU: nn.LSTM in PyTorch on Intel's library", Device::kCpu, kDefaultFactor, "", Always,
       CreateOnednn},
      {"simd", "own packed vector kernels for whole levels", "", Device::kCpu, kDefaultFactor, "", Always, CreateSimd},
      {"cudnn", "cuDNN's RNN", "cuDNNLSTM in PyTorch, TF, Keras", Device::kCuda, kDefaultFactor, "", NoCuda,
       CreateNone},
      {"cuda_fused", "own kernels: one product and one fused pass a step", "", Device::kCuda, kDefaultFactor, "",
       NoCuda, CreateNone},
      {"cuda_persistent", "own kernel: recurrent weights stay on the chip for all steps", "", Device::kCuda,
       kDefaultFactor, "", NoCuda, CreateNone},
  };
  return *kTable;
}

std::string LstmImplementationNames() {
  const auto append_name = [](std::string* out, const LstmImplementation& row) { absl::StrAppend(out, row.name); };
  return absl::StrJoin(LstmImplementations(), ", ", append_name);
}

absl::StatusOr<const LstmImplementation*> FindLstmImplementation(absl::string_view name) {
  for (const LstmImplementation& row : LstmImplementations()) {
    if (row.name == name) return &row;
  }
  return absl::NotFoundError(absl::StrCat("LSTM implementation '", name, "' is unknown, ", Expected()));
}

absl::StatusOr<const LstmImplementation*> FindAvailableLstmImplementation(absl::string_view name) {
  ASSIGN_OR_RETURN(const LstmImplementation* row, FindLstmImplementation(name));
  const absl::Status available = row->available();
  if (available.ok()) return row;
  return absl::UnavailableError(
      absl::StrCat("LSTM implementation '", name, "' is not available here: ", available.message(), "; ", Expected()));
}

absl::StatusOr<std::unique_ptr<Lstm>> CreateLstm(absl::string_view implementation, const LstmLevelConfig& config,
                                                 const LstmContext& context) {
  ASSIGN_OR_RETURN(const LstmImplementation* row, FindAvailableLstmImplementation(implementation));
  if (config.input_size < 1 || config.hidden_size < 1 || config.directions < 1 || config.directions > 2) {
    return absl::InvalidArgumentError(absl::StrCat("LSTM level: input_size ", config.input_size, ", hidden_size ",
                                                   config.hidden_size, ", directions ", config.directions,
                                                   ", expected sizes of at least 1 and 1 or 2 directions"));
  }
  return row->create(config, context);
}

}  // namespace earshot
