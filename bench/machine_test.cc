#include "bench/machine.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <string>
#include <thread>

#include "base/file.h"
#include "base/thread_pool.h"

namespace earshot {
namespace {

TEST(ValueOfTest, FindsTheFirstLineOfTheKey) {
  const std::string text = "processor\t: 0\nmodel name\t: A B: C \nmodel name\t: other\nempty:\n";
  EXPECT_EQ(ValueOf(text, "model name"), "A B: C");
  EXPECT_EQ(ValueOf(text, "empty"), "");
  EXPECT_EQ(ValueOf(text, "model"), "");
}

class CommitTest : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) {
    const std::string full = root_ + "/" + path;
    ASSERT_TRUE(MakeDirectories(full.substr(0, full.rfind('/'))).ok());
    std::ofstream(full) << text;
  }
  const std::string root_ = testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(CommitTest, Branch) {
  Write(".git/HEAD", "ref: refs/heads/main\n");
  Write(".git/refs/heads/main", "0123abcd\n");
  EXPECT_EQ(CheckedOutCommit(root_), "0123abcd");
}

TEST_F(CommitTest, PackedBranch) {
  Write(".git/HEAD", "ref: refs/heads/main\n");
  Write(".git/packed-refs", "# pack-refs\n9999 refs/heads/other-refs/heads/main\nfeed refs/heads/main\n");
  EXPECT_EQ(CheckedOutCommit(root_), "feed");
}

TEST_F(CommitTest, Detached) {
  Write(".git/HEAD", "abcd0123\n");
  EXPECT_EQ(CheckedOutCommit(root_), "abcd0123");
}

TEST_F(CommitTest, LinkedWorkTree) {
  Write("main/.git/worktrees/w/HEAD", "ref: refs/heads/w\n");
  Write("main/.git/worktrees/w/commondir", "../..\n");
  Write("main/.git/refs/heads/w", "beef\n");
  Write("w/.git", "gitdir: " + root_ + "/main/.git/worktrees/w\n");
  EXPECT_EQ(CheckedOutCommit(root_ + "/w"), "beef");
}

TEST_F(CommitTest, Submodule) {
  Write("main/.git/modules/s/HEAD", "cafe\n");
  Write("main/s/.git", "gitdir: ../.git/modules/s\n");
  EXPECT_EQ(CheckedOutCommit(root_ + "/main/s"), "cafe");
}

TEST_F(CommitTest, NoRepository) { EXPECT_EQ(CheckedOutCommit(root_), ""); }

TEST(MachineRecorderTest, SaysWhatTheNumbersDependOn) {
  MachineRecorder recorder(2);
  const MachineRecord machine = recorder.Finish();
  EXPECT_GE(machine.cores(), 1);
  EXPECT_EQ(machine.threads(), 2);
  EXPECT_EQ(ThreadsText(machine), "2 threads");
  EXPECT_EQ(ThreadsText(MachineRecord()), "threads differ by point");
  EXPECT_FALSE(machine.cpu().empty());
  EXPECT_FALSE(machine.instruction_set().empty());
  EXPECT_FALSE(machine.openblas_kernels().empty());
  EXPECT_GE(machine.load_before(), 0);
  EXPECT_TRUE(machine.has_load_after());
  ASSERT_EQ(machine.versions_size(), 5);
  EXPECT_NE(machine.versions(1).find("OpenBLAS 0."), std::string::npos) << machine.versions(1);
  EXPECT_EQ(machine.versions(2).find("oneDNN 2."), 0u) << machine.versions(2);
  EXPECT_EQ(machine.versions(3).find("Highway 1."), 0u) << machine.versions(3);
  EXPECT_NE(machine.versions(4).find("protobuf 3."), std::string::npos) << machine.versions(4);
}

TEST(MachineRecorderTest, TellsOwnWorkFromThatOfOthers) {
  const int cpus = static_cast<int>(std::thread::hardware_concurrency());
  MachineRecorder recorder(cpus);
  const std::clock_t start = std::clock();
  ThreadPool(cpus).Run([](int) {
    volatile double sink = 0;
    for (int i = 0; i < 100'000'000; ++i) sink = sink + 1;
  });
  const double own = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const MachineRecord machine = recorder.Finish();
  EXPECT_GT(machine.run_seconds(), 0.02);
  EXPECT_GE(machine.other_cpu_seconds(), 0);
  EXPECT_LE(machine.other_cpu_seconds(), machine.run_seconds() * cpus + 0.05);
  // Others can have taken at most what the loops left of all CPUs, and the kernel counts in ticks of 10 ms.
  EXPECT_LE(machine.other_cpu_seconds(), machine.run_seconds() * cpus - own + 0.05 * cpus);
  EXPECT_GE(machine.steal_seconds(), 0);
  EXPECT_LT(machine.steal_seconds(), machine.run_seconds() * cpus + 0.05);  // of this run, not since boot
}

TEST(MachineRecorderTest, TheWorkOfPeersThatHaveEndedIsOurs) {
  const int cpus = static_cast<int>(std::thread::hardware_concurrency());
  MachineRecorder recorder(1);
  const pid_t child = fork();
  if (child == 0) {
    while (std::clock() < CLOCKS_PER_SEC / 2) {
    }
    _exit(0);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  const MachineRecord machine = recorder.Finish();
  EXPECT_LE(machine.other_cpu_seconds(), machine.run_seconds() * cpus - 0.5 + 0.05 * cpus);
}

TEST(DisturbedTest, MoreThanATwentiethOfTheCores) {
  MachineRecord machine;
  machine.set_cores(2);
  machine.set_run_seconds(100);
  machine.set_other_cpu_seconds(6);
  machine.set_steal_seconds(3);
  EXPECT_FALSE(Disturbed(machine));
  machine.set_steal_seconds(5);
  EXPECT_TRUE(Disturbed(machine));
}

TEST(AvailableMemoryTest, IsBetweenNothingAndTheAddressSpace) {
  EXPECT_GT(AvailableMemory(), 1 << 20);
  EXPECT_LT(AvailableMemory(), int64_t{1} << 50);
}

}  // namespace
}  // namespace earshot
