#include "asr/checkpoint/run_directory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"

namespace earshot {
namespace {

Checkpoint AtStep(int step) {
  Checkpoint checkpoint;
  checkpoint.metadata["step"] = absl::StrCat(step);
  checkpoint.tensors["w"] = {{2}, {static_cast<float>(step), 0.5f}};
  return checkpoint;
}

std::string ReadAll(const std::string& path) { return ReadFile(path, 1 << 20).value_or("(missing)"); }

void Write(const std::string& path, const std::string& content) {
  ASSERT_TRUE(WriteFileAtomically(path, {content}).ok());
}

void FlipBit(const std::string& path) {
  std::string content = ReadAll(path);
  content.back() = static_cast<char>(content.back() ^ 4);
  Write(path, content);
}

class RunDirectoryTest : public testing::Test {
 protected:
  RunDirectoryTest()
      : path_(absl::StrCat(testing::TempDir(), "/run_", testing::UnitTest::GetInstance()->current_test_info()->name())),
        run_(Open()) {}

  std::unique_ptr<RunDirectory> Open() {
    auto run = RunDirectory::Open(path_);
    EXPECT_TRUE(run.ok()) << run.status();
    return std::move(run).value();
  }
  void Reopen() {
    run_.reset();  // gives the lock back
    run_ = Open();
  }
  int64_t NewestStep() {
    const auto newest = run_->LoadNewest();
    EXPECT_TRUE(newest.ok()) << newest.status();
    warning_ = newest.ok() ? newest->warning : "";
    return newest.ok() ? std::stoi(newest->checkpoint.metadata.at("step")) : -1;
  }
  void SaveSteps(std::initializer_list<int> steps) {
    for (int step : steps) ASSERT_TRUE(run_->Save(AtStep(step)).ok());
  }

  const std::string path_;
  std::unique_ptr<RunDirectory> run_;
  std::string warning_;
};

TEST_F(RunDirectoryTest, LastBecomesPrevious) {
  EXPECT_EQ(run_->LoadNewest().status().code(), absl::StatusCode::kNotFound);
  SaveSteps({1});
  EXPECT_EQ(NewestStep(), 1);
  EXPECT_EQ(ReadAll(run_->previous_path()), "(missing)");
  SaveSteps({2, 3});
  EXPECT_EQ(NewestStep(), 3);
  EXPECT_EQ(warning_, "");
  EXPECT_EQ(LoadCheckpoint(run_->last_path())->metadata.at("step"), "3");
  EXPECT_EQ(LoadCheckpoint(run_->previous_path())->metadata.at("step"), "2");
  ASSERT_TRUE(run_->SaveBest(AtStep(2)).ok());
  EXPECT_EQ(ReadAll(run_->best_path()), ReadAll(run_->previous_path()));
}

TEST_F(RunDirectoryTest, FallsBackToPreviousAndKeepsItUntilTheNextOneIsThere) {
  SaveSteps({1, 2});
  FlipBit(run_->last_path());
  const std::string damaged = ReadAll(run_->last_path());
  Reopen();
  EXPECT_EQ(NewestStep(), 1);
  EXPECT_TRUE(absl::StartsWith(warning_, absl::StrCat(run_->last_path(), ": byte 35: expected the CRC-32C ")))
      << warning_;
  EXPECT_TRUE(
      absl::EndsWith(warning_, absl::StrCat(": the file is damaged; using ", run_->previous_path(), " of step 1")))
      << warning_;
  // The damaged file must not take the place of the intact one.
  SaveSteps({2});
  EXPECT_EQ(LoadCheckpoint(run_->previous_path())->metadata.at("step"), "1");
  SaveSteps({3});
  EXPECT_EQ(LoadCheckpoint(run_->previous_path())->metadata.at("step"), "2");
}

TEST_F(RunDirectoryTest, FindsTheStateBetweenTheTwoRenames) {
  SaveSteps({1, 2});
  ASSERT_EQ(rename(run_->last_path().c_str(), run_->previous_path().c_str()), 0);
  Reopen();
  EXPECT_EQ(NewestStep(), 2);
  EXPECT_EQ(warning_, "");
  SaveSteps({3});
  EXPECT_EQ(NewestStep(), 3);
  EXPECT_EQ(LoadCheckpoint(run_->previous_path())->metadata.at("step"), "2");
}

TEST_F(RunDirectoryTest, TheStepDecidesWhichIsNewer) {
  SaveSteps({9, 10});
  const std::string nine = ReadAll(run_->previous_path()), ten = ReadAll(run_->last_path());
  Write(run_->last_path(), nine);
  Write(run_->previous_path(), ten);
  Reopen();
  EXPECT_EQ(NewestStep(), 10);
  SaveSteps({11});
  EXPECT_EQ(ReadAll(run_->previous_path()), ten);
}

TEST_F(RunDirectoryTest, DamagedPreviousIsReported) {
  SaveSteps({1, 2});
  Write(run_->previous_path(), "");
  EXPECT_EQ(NewestStep(), 2);
  EXPECT_EQ(warning_, absl::StrCat(run_->previous_path(),
                                   ": byte 8: expected {\"__metadata__\":{\"crc32c\":\", found something else: not a "
                                   "checkpoint or damaged; using ",
                                   run_->last_path(), " of step 2"));
}

TEST_F(RunDirectoryTest, ErrorNamesBothWhenNoneIsIntact) {
  SaveSteps({1, 2});
  Write(run_->last_path(), "x");
  FlipBit(run_->previous_path());
  const absl::Status status = run_->LoadNewest().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(status.message(), run_->last_path())) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), run_->previous_path())) << status;
  ASSERT_TRUE(RemoveFile(run_->previous_path()).ok());
  EXPECT_TRUE(absl::StartsWith(run_->LoadNewest().status().message(), run_->last_path()));
}

TEST_F(RunDirectoryTest, StepIsRequired) {
  Checkpoint checkpoint = AtStep(1);
  checkpoint.metadata["step"] = "-3";
  EXPECT_EQ(run_->Save(checkpoint).message(),
            absl::StrCat(run_->last_path(), ": metadata key \"step\": expected a number, found \"-3\""));
  checkpoint.metadata.erase("step");
  EXPECT_EQ(run_->Save(checkpoint).message(),
            absl::StrCat(run_->last_path(), ": expected the metadata key \"step\", found none"));
}

TEST_F(RunDirectoryTest, ClearDeletesTheCheckpoints) {
  SaveSteps({1, 2});
  ASSERT_TRUE(run_->SaveBest(AtStep(2)).ok());
  ASSERT_TRUE(run_->Clear().ok());
  EXPECT_EQ(run_->LoadNewest().status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadAll(run_->best_path()), "(missing)");
  ASSERT_TRUE(run_->Clear().ok());
}

TEST_F(RunDirectoryTest, SecondProcessIsRefusedAtOnceByName) {
  const auto second = RunDirectory::Open(path_);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(second.status().message(), absl::StrCat(path_, "/lock: held by another process with the id ", getpid()));
  run_.reset();
  EXPECT_TRUE(RunDirectory::Open(path_).ok());
}

// A process id proves nothing: 1 lives, but with the lock held no temporary file can be in use.
TEST_F(RunDirectoryTest, LeftoversAreDeleted) {
  for (const char* name : {"/.last.safetensors.tmp.2000000000", "/.best.safetensors.tmp.1"})
    Write(path_ + name, "half");
  Write(path_ + "/notes.tmp.txt", "somebody's own file");
  Reopen();
  for (const char* name : {"/.last.safetensors.tmp.2000000000", "/.best.safetensors.tmp.1"}) {
    EXPECT_EQ(ReadAll(path_ + name), "(missing)") << name;
  }
  EXPECT_NE(ReadAll(path_ + "/notes.tmp.txt"), "(missing)");
}

TEST(RunDirectoryOpenTest, NamesWhatIsInTheWay) {
  const std::string path = testing::TempDir() + "/a_file";
  Write(path, "x");
  EXPECT_EQ(RunDirectory::Open(path).status().message(), absl::StrCat(path, ": expected a directory"));
  EXPECT_EQ(RunDirectory::Open(path + "/run").status().message(),
            absl::StrCat(path, "/run: cannot create directory: Not a directory"));
}

}  // namespace
}  // namespace earshot
