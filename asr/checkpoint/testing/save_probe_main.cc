// A program to be killed: saves checkpoints as the trainer does, with content that is a function of the step. The crash
// test (tools/crash) kills it or lets its system calls fail, and starts it again.
//
//   save_probe save DIRECTORY STEPS
// prints the step of the newest checkpoint (0: none), goes on from there and saves one a step up to STEPS. Fails when a
// file is damaged or does not hold what belongs to its step.
//   save_probe overwrite DIRECTORY STEPS
// saves as one must not, in place and without a look at errors: the crash test has to find that.
#include <fstream>
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "asr/checkpoint/run_directory.h"
#include "base/file.h"
#include "base/random.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

Checkpoint AtStep(int step) {
  Checkpoint checkpoint;
  checkpoint.metadata["step"] = absl::StrCat(step);
  RandomStream random(7, RandomPurpose::kTest, step);
  CheckpointTensor& w = checkpoint.tensors["w"];
  w.shape = {5000};
  for (int i = 0; i < 5000; ++i) w.values.push_back(random.Uniform());
  return checkpoint;
}

// The step of the newest checkpoint, 0 when there is none. The best one must be intact too.
absl::StatusOr<int> NewestStep(RunDirectory* run) {
  const auto best = LoadCheckpoint(run->best_path());
  if (!best.ok() && !absl::IsNotFound(best.status())) return best.status();
  const auto newest = run->LoadNewest();
  if (absl::IsNotFound(newest.status())) return 0;
  RETURN_IF_ERROR(newest.status());
  if (!newest->warning.empty()) return absl::DataLossError(newest->warning);
  const int step = std::stoi(newest->checkpoint.metadata.at("step"));
  if (newest->checkpoint.tensors.at("w").values != AtStep(step).tensors["w"].values) {
    return absl::DataLossError(absl::StrCat(newest->path, ": expected the values of step ", step, ", found others"));
  }
  return step;
}

absl::Status Save(const std::string& directory, int steps) {
  ASSIGN_OR_RETURN(const auto run, RunDirectory::Open(directory));
  ASSIGN_OR_RETURN(int step, NewestStep(run.get()));
  std::cout << step << std::endl;
  while (step < steps) {
    const Checkpoint checkpoint = AtStep(++step);
    if (step % 2 == 1) RETURN_IF_ERROR(run->SaveBest(checkpoint));
    RETURN_IF_ERROR(run->Save(checkpoint));
  }
  return absl::OkStatus();
}

absl::Status Overwrite(const std::string& directory, int steps) {
  ASSIGN_OR_RETURN(const auto run, RunDirectory::Open(directory));
  ASSIGN_OR_RETURN(int step, NewestStep(run.get()));
  while (step < steps) {
    RETURN_IF_ERROR(SaveCheckpoint(directory + ".source", AtStep(++step)));
    const auto bytes = ReadFile(directory + ".source", 1 << 20);
    RETURN_IF_ERROR(bytes.status());
    std::ofstream(run->last_path(), std::ios::binary) << *bytes;
  }
  return absl::OkStatus();
}

int Main(int argc, char** argv) {
  const std::string mode = argc == 4 ? argv[1] : "";
  int steps = 0;
  if ((mode != "save" && mode != "overwrite") || !absl::SimpleAtoi(argv[3], &steps)) {
    std::cerr << "usage: save_probe save|overwrite DIRECTORY STEPS\n";
    return 2;
  }
  const absl::Status status = mode == "save" ? Save(argv[2], steps) : Overwrite(argv[2], steps);
  if (status.ok()) return 0;
  std::cerr << "error: " << status.message() << "\n";
  return 1;
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) { return earshot::Main(argc, argv); }
