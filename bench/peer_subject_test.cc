#include "bench/peer_subject.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>

#include "bench/bench_config.h"
#include "bench/block.h"
#include "bench/report_table.h"
#include "bench/testing/run_here.h"
#include "bench/testing/small_config.h"
#include "bench/testing/wrong_subjects.h"

namespace earshot {
namespace {

using testing::HasSubstr;
using testing::Not;

std::unique_ptr<Subject> Fake(const std::string& mode, double timeout_seconds = 30) {
  return std::make_unique<PeerSubject>("fake:" + mode, std::vector<std::string>{"bench/fake_peer", mode},
                                       timeout_seconds);
}

class PeersInTheRunnerTest : public testing::Test {
 protected:
  static BenchConfig Config() {
    BenchConfig config = SmallConfig(/*max_seconds=*/40);
    config.set_blocks(1);
    return config;
  }
  BenchReport Run() {
    const absl::StatusOr<BenchReport> report = RunHere(Config(), &subjects_, &pool_, &progress_);
    EXPECT_TRUE(report.ok()) << report.status().ToString();
    return report.value_or(BenchReport());
  }
  ThreadPool pool_{1};
  std::vector<std::unique_ptr<Subject>> subjects_ = TrainerSubjects({"reference", "blas"}, &pool_).value();
  std::stringstream progress_;
};

TEST_F(PeersInTheRunnerTest, ARightOneIsComparedWithTheFastestOwnRow) {
  subjects_.push_back(Fake("right"));
  const BenchReport report = Run();
  ASSERT_EQ(report.rows_size(), 3);
  EXPECT_FALSE(report.rows(0).has_peer());
  const BenchRow& row = report.rows(2);
  EXPECT_EQ(row.implementation(), "fake:right");
  EXPECT_TRUE(row.verified()) << row.problem();
  EXPECT_GE(row.n(), 4);
  EXPECT_EQ(row.phases_size(), 0);
  EXPECT_EQ(row.peer().version(), "fake 1.0");
  EXPECT_EQ(row.peer().parameters(), row.parameters());
  EXPECT_TRUE(row.peer().comparable());
  EXPECT_EQ(row.peer().beside(),
            report.rows(0).median_seconds() < report.rows(1).median_seconds() ? "reference" : "blas");
  ASSERT_EQ(row.blocks_size(), 1);
  EXPECT_EQ(row.blocks(0).beside_step_seconds_size(), row.blocks(0).step_seconds_size());
  EXPECT_GT(row.peer().times_slower(), 0.01);
  EXPECT_LT(row.peer().times_slower(), 100);
  // Same weights, same batch.
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(row.blocks(0).losses(i), report.rows(1).blocks(0).losses(i), 1e-3);
  }
  // At the last step, as the process says, and not this process' own.
  EXPECT_EQ(row.memory_bytes(), 100'000'000 + row.blocks(0).step_seconds_size());
  EXPECT_THAT(ReportTable(report), HasSubstr("fake:right: 100 MB of memory at its peak\n"));
  EXPECT_THAT(ReportTable(report), HasSubstr(" times the time of "));
}

// One that starts slowly was waited for: then its fewest steps are taken, too.
TEST_F(PeersInTheRunnerTest, OneThatTookAllItsTimeToStartIsTimed) {
  BlockRequest request;
  *request.mutable_config() = Config();
  request.add_row()->set_name("blas");
  request.add_row()->set_name("fake:right");
  request.set_seconds(1e-6);
  request.set_seconds_at_most(1e-6);
  request.set_check(true);
  subjects_.erase(subjects_.begin());
  subjects_.push_back(Fake("right"));
  const absl::StatusOr<BenchReport> report = RunBlock(request, subjects_, &pool_, &progress_);
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  const BenchRow& row = report->rows(1);
  EXPECT_TRUE(row.verified()) << row.problem();
  ASSERT_EQ(row.blocks_size(), 1);
  EXPECT_EQ(row.blocks(0).step_seconds_size(), 3);
  EXPECT_EQ(row.blocks(0).max_frames(), request.config().batch().max_frames());
}

TEST_F(PeersInTheRunnerTest, WrongAndBrokenOnesAreNamedAndNotTimed) {
  const std::pair<std::string, std::string> cases[] = {{"wrong_loss", "loss of step 0"},
                                                       {"wrong_gradient", "gradient of lstm.weight_ih_l0"},
                                                       {"wrong_long", "loss of step 0"},
                                                       {"fails", "ValueError: no luck"},
                                                       {"dies", "exited with 3"},
                                                       {"nonsense", "\"Segmentation fault\""},
                                                       {"no_seconds", "without its loss or its seconds"}};
  for (const auto& c : cases) subjects_.push_back(Fake(c.first));
  subjects_.push_back(Fake("hangs", 0.5));
  const BenchReport report = Run();
  ASSERT_EQ(report.rows_size(), 10);
  for (int i = 2; i < 10; ++i) {
    const BenchRow& row = report.rows(i);
    EXPECT_THAT(row.problem(), HasSubstr(i < 9 ? cases[i - 2].second : "no answer within 0.5 s"));
    EXPECT_FALSE(row.verified());
    EXPECT_FALSE(row.has_median_seconds());
    EXPECT_EQ(row.peer().has_absent(), i == 9);  // that one may be right, but takes too long
    EXPECT_FALSE(row.peer().has_times_slower());
  }
  for (int i : {0, 1}) EXPECT_TRUE(report.rows(i).verified());
  EXPECT_THAT(ReportTable(report), HasSubstr("fake:wrong_loss  WRONG, not timed: loss of step 0"));
}

TEST_F(PeersInTheRunnerTest, AnotherFunctionIsShownAndNotCompared) {
  subjects_.push_back(Fake("other"));
  const BenchReport report = Run();
  const BenchRow& row = report.rows(2);
  EXPECT_FALSE(row.verified());
  EXPECT_FALSE(row.has_problem());
  EXPECT_GT(row.median_seconds(), 0);
  EXPECT_FALSE(row.peer().comparable());
  EXPECT_FALSE(row.peer().has_times_slower());
  const std::string table = ReportTable(report);
  EXPECT_THAT(table, HasSubstr("not compared: another function: it is another one"));
  EXPECT_THAT(table.substr(table.find("peers, each")), Not(HasSubstr("times the time of")));
}

TEST_F(PeersInTheRunnerTest, OtherWorkIsShownAndNotCompared) {
  subjects_.push_back(Fake("wider"));
  const BenchReport report = Run();
  const BenchRow& row = report.rows(2);
  EXPECT_FALSE(row.verified());
  EXPECT_FALSE(row.has_problem());
  EXPECT_GT(row.median_seconds(), 0);
  EXPECT_FALSE(row.peer().comparable());
  EXPECT_FALSE(row.peer().has_times_slower());
  // Two bidirectional levels of 16 and 20, from 9 features to 6 classes: 4 H (I + H) a direction, and the output layer.
  EXPECT_EQ(row.macs_per_frame(), 2 * 4 * 16 * (9 + 16) + 2 * 4 * 16 * (32 + 16) + 32 * 6);
  EXPECT_EQ(row.peer().macs_per_frame(), 2 * 4 * 20 * (9 + 20) + 2 * 4 * 20 * (40 + 20) + 40 * 6);
  EXPECT_EQ(row.peer().note(), "it does 14480 multiply-adds a frame, ours 9536");
  EXPECT_THAT(ReportTable(report), HasSubstr("not compared: other work: 14480 multiply-adds a frame"));
  const auto comparison = std::find_if(report.comparisons().begin(), report.comparisons().end(),
                                       [](const Comparison& c) { return c.row() == "fake:wider"; });
  ASSERT_NE(comparison, report.comparisons().end());
  EXPECT_EQ(comparison->verdict(), Comparison::REFUSED);
  EXPECT_FALSE(comparison->has_ratio());
  EXPECT_THAT(comparison->reason(), HasSubstr("other work: 14480 multiply-adds a frame"));
}

TEST_F(PeersInTheRunnerTest, AbsentOnesGiveOneLine) {
  subjects_.push_back(Fake("unsupported"));
  subjects_.push_back(std::make_unique<PeerSubject>("torch:lstm", absl::UnavailableError("no environment")));
  const BenchReport report = Run();
  EXPECT_EQ(report.rows(2).peer().absent(), "peers have no such thing");
  EXPECT_EQ(report.rows(3).peer().absent(), "no environment");
  const std::string table = ReportTable(report);
  EXPECT_THAT(table, HasSubstr("\ntorch:lstm       not here: no environment\n"));
  EXPECT_THAT(table, Not(HasSubstr("WRONG")));
}

TEST_F(PeersInTheRunnerTest, AClockThatLiesIsReported) {
  subjects_.push_back(Fake("fast_clock"));
  const BenchReport report = Run();
  // All but the first, which also hands over the batch.
  EXPECT_EQ(report.rows(2).peer().clock_disagreements(), report.rows(2).blocks(0).step_seconds_size() - 1);
  EXPECT_GT(report.rows(2).peer().clock_gap_seconds(), 0.015);
  EXPECT_THAT(ReportTable(report), HasSubstr("CLOCKS DISAGREE"));
}

TEST(PeerSubjectTest, OnlyALoadedOneHasAProcess) {
  ThreadPool pool(1);
  const BenchConfig config = SmallConfig(/*max_seconds=*/40);
  PeerSubject peer("fake:right", std::vector<std::string>{"bench/fake_peer", "right"});
  EXPECT_EQ(peer.process(), nullptr);
  const auto params = CanonicalParameters(config, &pool);
  ASSERT_TRUE(peer.Load(config, *params).ok());
  const pid_t pid = peer.process()->pid();
  ASSERT_TRUE(peer.Load(config, *params).ok());
  EXPECT_EQ(peer.process()->pid(), pid);  // loading again needs no new one
  const Batch batch = MakeBatch(config);
  const auto loss = peer.Step(batch);
  ASSERT_TRUE(loss.ok()) << loss.status().ToString();
  EXPECT_GT(peer.step_seconds(), 0);
  EXPECT_EQ(peer.gradients().size(), params->size());
  peer.Unload();
  EXPECT_EQ(peer.process(), nullptr);
}

// An interpreter without what the framework needs: -S leaves the installed packages out.
TEST(PeerSubjectTest, AFrameworkThatIsNotInstalledIsNamedWithItsRemedy) {
  const std::string python = "/usr/bin/python3", script = "bench/peers/peer.py";
  if (access(python.c_str(), X_OK) != 0) {
    std::cout << "SKIPPED: no " << python << "\n";
    GTEST_SKIP();
  }
  PeerSubject peer("torch1:cell",
                   std::vector<std::string>{python, "-IS", script, "torch:cell", "1", "apt-get install python3-torch"});
  ThreadPool pool(1);
  const BenchConfig config = SmallConfig(/*max_seconds=*/40);
  const absl::Status status = peer.Load(config, *CanonicalParameters(config, &pool));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(std::string(status.message()), "does not load (No module named 'numpy'): apt-get install python3-torch");
}

TEST(PeerSubjectsTest, AFrameworkHasItsInterpreter) {
  const auto command = PeerCommand("torch1:cell", 2);
  if (access("/usr/bin/python3", X_OK) != 0) {
    EXPECT_EQ(std::string(command.status().message()), "no /usr/bin/python3: apt-get install python3-torch");
    return;
  }
  ASSERT_TRUE(command.ok()) << command.status().ToString();
  EXPECT_THAT(*command, testing::ElementsAre("/usr/bin/python3", "-I", testing::EndsWith("/bench/peers/peer.py"),
                                             "torch:cell", "2", "apt-get install python3-torch"));
}

TEST(PeerSubjectsTest, NamesAndTheEnvironment) {
  setenv("EARSHOT_PEERS", "/nowhere", 1);
  const auto all = PeerSubjects({}, 2);
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->size(), 18u);
  const absl::Status absent = all->front()->Load(SmallConfig(/*max_seconds=*/40), {});
  EXPECT_EQ(absent.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(std::string(absent.message()), "no /nowhere/bin/python: run bench/peers/setup.sh");
  const auto unknown = PeerSubjects({"torch:lsmt"}, 2);
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("'torch:lsmt', expected some of torch:lstm, "));
  unsetenv("EARSHOT_PEERS");
  setenv("XDG_CACHE_HOME", "/nowhere/cache", 1);
  EXPECT_THAT(std::string(PeerCommand("jax:scan", 2).status().message()),
              HasSubstr("/nowhere/cache/earshot/peers/bin"));
}

}  // namespace
}  // namespace earshot
