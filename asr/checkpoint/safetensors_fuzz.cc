#include "asr/checkpoint/safetensors.h"
#include "asr/checkpoint/testing/repair.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  ASSIGN_OR_RETURN(const Safetensors file, ReadSafetensors(content, name));
  // The tensors are the end of the file, one after the other, each as long as its shape.
  const char* at = content.data() + content.size();
  for (size_t i = file.tensors.size(); i-- > 0;) {
    const SafetensorsTensor& tensor = file.tensors[i];
    int64_t size = SafetensorsTypeSize(tensor.type);
    for (int64_t d : tensor.shape) size *= d;
    CHECK(size == static_cast<int64_t>(tensor.data.size())) << tensor.name;
    at -= size;
    CHECK(tensor.data.data() == at) << tensor.name;
  }
  CHECK(at >= content.data() + 8);
  return absl::OkStatus();
}

}  // namespace

const ReaderUnderTest kReaderUnderTest = {Read, 0.7, RepairSafetensors};

}  // namespace earshot
