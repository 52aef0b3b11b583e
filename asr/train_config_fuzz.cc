// A recipe: its text, then its fields.
#include "asr/train.pb.h"
#include "asr/train_config.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "base/textproto.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  TrainConfig config;
  RETURN_IF_ERROR(ParseTextproto(content, name, &config));
  ValidateTrainConfig(config).IgnoreError();  // names a field, not a place in the text
  return absl::OkStatus();
}

}  // namespace

const ReaderUnderTest kReaderUnderTest = {Read, 0.5};

}  // namespace earshot
