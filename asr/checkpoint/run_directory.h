// The checkpoints of one training run: last.safetensors, previous.safetensors (the one before, as fall-back) and
// best.safetensors in a directory that one process at a time may use.
#ifndef EARSHOT_ASR_CHECKPOINT_RUN_DIRECTORY_H_
#define EARSHOT_ASR_CHECKPOINT_RUN_DIRECTORY_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "asr/checkpoint/checkpoint.h"
#include "base/file_lock.h"

namespace earshot {

// Every checkpoint has the metadata key "step", a whole number; of two the one with the higher step is the newer.
class RunDirectory {
 public:
  // Creates the directory where needed, locks it (the file DIRECTORY/lock; FailedPrecondition, naming the process, when
  // another one uses it) and deletes what killed processes left half-written.
  static absl::StatusOr<std::unique_ptr<RunDirectory>> Open(const std::string& path);

  struct Newest {
    Checkpoint checkpoint;
    std::string path;
    std::string warning;  // not empty: which file is damaged, why, and which one is used in its place
  };
  // The newer of last and previous that is intact. NotFound when there is neither; the error of each when both are
  // damaged.
  absl::StatusOr<Newest> LoadNewest();

  // Writes last.safetensors; the old one becomes previous.safetensors, unless it is damaged or was never looked at
  // (nothing intact is lost for it). Killed at any moment, LoadNewest finds the old or the new one.
  absl::Status Save(const Checkpoint& checkpoint);
  // Writes best.safetensors. Call it before the Save of the same step: after a kill between the two, the step is done
  // again and the best one written again. The other way round it would be lost.
  absl::Status SaveBest(const Checkpoint& checkpoint);

  // Deletes the three checkpoints, for a run that starts anew in a used directory.
  absl::Status Clear();

  const std::string& path() const { return path_; }
  std::string last_path() const { return path_ + "/last.safetensors"; }
  std::string previous_path() const { return path_ + "/previous.safetensors"; }
  std::string best_path() const { return path_ + "/best.safetensors"; }

 private:
  RunDirectory(std::string path, std::unique_ptr<FileLock> lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  const std::string path_;
  const std::unique_ptr<FileLock> lock_;
  bool last_is_newest_ = false;  // last.safetensors is known to be intact and newer than previous.safetensors
};

}  // namespace earshot

#endif  // EARSHOT_ASR_CHECKPOINT_RUN_DIRECTORY_H_
