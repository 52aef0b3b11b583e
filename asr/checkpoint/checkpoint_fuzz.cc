#include <algorithm>
#include <cmath>

#include "asr/checkpoint/checkpoint.h"
#include "asr/checkpoint/testing/repair.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  ASSIGN_OR_RETURN(const Checkpoint checkpoint, ParseCheckpoint(content, name));
  for (const auto& [tensor_name, tensor] : checkpoint.tensors) {
    int64_t size = 1;
    for (int64_t d : tensor.shape) size *= d;
    CHECK(size == static_cast<int64_t>(tensor.values.size())) << tensor_name;
    CHECK(std::all_of(tensor.values.begin(), tensor.values.end(), [](float v) { return std::isfinite(v); }));
  }
  return absl::OkStatus();
}

}  // namespace

const ReaderUnderTest kReaderUnderTest = {Read, 0.8, RepairCheckpoint};

}  // namespace earshot
