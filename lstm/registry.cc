#include "lstm/registry.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "lstm/blas/blas.h"
#include "lstm/reference/reference.h"

namespace earshot {
namespace {

constexpr double kDefaultFactor = 4.0;  // kDefaultToleranceFactor of base/testing/near.h; the conformance suite compares

absl::Status Always() { return absl::OkStatus(); }

}  // namespace

absl::Span<const LstmImplementation> LstmImplementations() {
  static const auto* const kTable = new std::vector<LstmImplementation>{
      {"reference", "plain loops over one utterance at a time: the definition", "", Device::kCpu, kDefaultFactor, "",
       Always, CreateReference},
      {"blas", "one input product a level, one recurrent product a step, weight gradients as one product over time",
       "LSTMBlockFusedCell, CURRENNT", Device::kCpu, kDefaultFactor, "", Always, CreateBlas},
  };
  return *kTable;
}

absl::StatusOr<const LstmImplementation*> FindLstmImplementation(absl::string_view name) {
  for (const LstmImplementation& row : LstmImplementations()) {
    if (row.name == name) return &row;
  }
  const auto append_name = [](std::string* out, const LstmImplementation& row) { absl::StrAppend(out, row.name); };
  return absl::NotFoundError(absl::StrCat("LSTM implementation '", name, "' is unknown, expected one of ",
                                          absl::StrJoin(LstmImplementations(), ", ", append_name)));
}

absl::StatusOr<std::unique_ptr<Lstm>> CreateLstm(absl::string_view implementation, const LstmLevelConfig& config,
                                                 const LstmContext& context) {
  ASSIGN_OR_RETURN(const LstmImplementation* row, FindLstmImplementation(implementation));
  RETURN_IF_ERROR(Annotate(row->available(), absl::StrCat("LSTM implementation ", implementation)));
  return row->create(config, context);
}

}  // namespace earshot
