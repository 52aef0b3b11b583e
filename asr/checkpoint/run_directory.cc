#include "asr/checkpoint/run_directory.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

// The number of the step that the checkpoint was made after.
absl::StatusOr<int64_t> Step(const Checkpoint& checkpoint, const std::string& path) {
  const auto it = checkpoint.metadata.find("step");
  int64_t step = 0;
  if (it == checkpoint.metadata.end()) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": expected the metadata key \"step\", found none"));
  }
  if (!absl::SimpleAtoi(it->second, &step) || step < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": metadata key \"step\": expected a number, found \"", it->second.substr(0, 32), "\""));
  }
  return step;
}

struct Candidate {
  std::string path;
  absl::StatusOr<Checkpoint> checkpoint;
  int64_t step = -1;  // -1: not usable
};

Candidate Load(const std::string& path) {
  Candidate candidate{path, LoadCheckpoint(path)};
  if (!candidate.checkpoint.ok()) return candidate;
  const absl::StatusOr<int64_t> step = Step(*candidate.checkpoint, path);
  if (step.ok()) {
    candidate.step = *step;
  } else {
    candidate.checkpoint = step.status();
  }
  return candidate;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RunDirectory>> RunDirectory::Open(const std::string& path) {
  RETURN_IF_ERROR(MakeDirectories(path));
  ASSIGN_OR_RETURN(auto lock, FileLock::Acquire(path + "/lock"));
  RETURN_IF_ERROR(RemoveStaleTemporaryFiles(path, /*locked=*/true));
  return std::unique_ptr<RunDirectory>(new RunDirectory(path, std::move(lock)));
}

absl::StatusOr<RunDirectory::Newest> RunDirectory::LoadNewest() {
  Candidate last = Load(last_path()), previous = Load(previous_path());
  const bool use_last = last.step >= previous.step;
  Candidate& chosen = use_last ? last : previous;
  const Candidate& other = use_last ? previous : last;
  if (chosen.step < 0) {  // neither is usable
    if (absl::IsNotFound(other.checkpoint.status())) return chosen.checkpoint.status();
    if (absl::IsNotFound(chosen.checkpoint.status())) return other.checkpoint.status();
    // Two damaged files are InvalidArgument; what the system refused to read is not known to be damaged.
    const absl::Status& code =
        absl::IsInvalidArgument(chosen.checkpoint.status()) ? other.checkpoint.status() : chosen.checkpoint.status();
    return absl::Status(code.code(),
                        absl::StrCat(chosen.checkpoint.status().message(), "; ", other.checkpoint.status().message()));
  }
  last_is_newest_ = use_last;
  Newest newest{*std::move(chosen.checkpoint), chosen.path, ""};
  if (!other.checkpoint.ok() && !absl::IsNotFound(other.checkpoint.status())) {
    newest.warning =
        absl::StrCat(other.checkpoint.status().message(), "; using ", chosen.path, " of step ", chosen.step);
  }
  return newest;
}

absl::Status RunDirectory::Save(const Checkpoint& checkpoint) {
  RETURN_IF_ERROR(Step(checkpoint, last_path()).status());
  RETURN_IF_ERROR(SaveCheckpoint(last_path(), checkpoint, last_is_newest_ ? previous_path() : ""));
  last_is_newest_ = true;
  return absl::OkStatus();
}

absl::Status RunDirectory::SaveBest(const Checkpoint& checkpoint) { return SaveCheckpoint(best_path(), checkpoint); }

absl::Status RunDirectory::Clear() {
  last_is_newest_ = false;
  for (const std::string& path : {previous_path(), last_path(), best_path()}) RETURN_IF_ERROR(RemoveFile(path));
  return absl::OkStatus();
}

}  // namespace earshot
