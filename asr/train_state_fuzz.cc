// Where a run is, as a checkpoint's metadata tell it.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "asr/train_checkpoint.h"
#include "base/check.h"
#include "base/testing/reader_under_test.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  Checkpoint checkpoint;
  checkpoint.metadata["state"] = std::string(content);
  const absl::StatusOr<TrainState> state = CheckpointState(checkpoint);
  if (state.ok()) {
    CHECK(state->format() == kTrainStateFormat);
    CHECK(state->epoch() >= 0 && state->step() >= 0 && state->step_in_epoch() >= 0 && state->updates() >= 0);
    return absl::OkStatus();
  }
  // The text lies in a checkpoint, which the caller names.
  constexpr absl::string_view kName = "metadata \"state\"";
  CHECK(absl::StartsWith(state.status().message(), kName)) << state.status();
  return absl::InvalidArgumentError(absl::StrCat(name, state.status().message().substr(kName.size())));
}

}  // namespace

const ReaderUnderTest kReaderUnderTest = {Read, 0.5};

}  // namespace earshot
