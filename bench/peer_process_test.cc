#include "bench/peer_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace earshot {
namespace {

using testing::HasSubstr;

constexpr char kFakePeer[] = "bench/fake_peer";

std::unique_ptr<PeerProcess> StartFake(const std::string& mode) {
  auto process = PeerProcess::Start({kFakePeer, mode});
  EXPECT_TRUE(process.ok()) << process.status().ToString();
  return *std::move(process);
}

PeerRequest Request(PeerRequest::Kind kind) {
  PeerRequest request;
  request.set_kind(kind);
  return request;
}

// The letter of /proc/PID/stat: R running, S sleeping, T stopped.
char State(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  file >> number >> name >> state;
  return state.empty() ? '-' : state[0];
}

void SleepMilliseconds(int n) { std::this_thread::sleep_for(std::chrono::milliseconds(n)); }

TEST(PeerProcessTest, StandsStillBetweenRequests) {
  const auto process = StartFake("counts");
  const auto milliseconds = [&] { return process->Call(Request(PeerRequest::STEP), {}, 20, nullptr)->parameters(); };
  const int first = milliseconds();
  EXPECT_EQ(State(process->pid()), 'T');
  SleepMilliseconds(300);
  EXPECT_EQ(State(process->pid()), 'T');
  EXPECT_LT(milliseconds(), first + 100);  // its threads have not counted meanwhile
}

TEST(PeerProcessTest, AThreadThatIsAwakeCounts) {
  const auto process = StartFake("counts");
  const auto milliseconds = [&] { return process->Call(Request(PeerRequest::STEP), {}, 20, nullptr)->parameters(); };
  const int first = milliseconds();
  kill(process->pid(), SIGCONT);
  SleepMilliseconds(300);
  EXPECT_GT(milliseconds(), first + 100);
}

TEST(PeerProcessTest, GoesWithItsObject) {
  auto process = StartFake("counts");
  const pid_t pid = process->pid();
  EXPECT_EQ(kill(pid, 0), 0);
  process = nullptr;
  EXPECT_NE(kill(pid, 0), 0);
}

// It is stopped and cannot notice.
TEST(PeerProcessTest, GoesWithAProgramThatIsKilled) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto process = StartFake("counts");
    const bool answered = process->Call(Request(PeerRequest::STEP), {}, 20, nullptr).ok();
    const pid_t pid = answered && State(process->pid()) == 'T' ? process->pid() : 0;
    const bool written = write(ends[1], &pid, sizeof(pid)) == sizeof(pid);
    kill(getpid(), written ? SIGKILL : SIGABRT);
  }
  pid_t pid = 0;
  ASSERT_EQ(read(ends[0], &pid, sizeof(pid)), static_cast<ssize_t>(sizeof(pid)));
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  ASSERT_GT(pid, 0);
  for (int i = 0; i < 500 && State(pid) != '-' && State(pid) != 'Z'; ++i) SleepMilliseconds(10);
  EXPECT_TRUE(State(pid) == '-' || State(pid) == 'Z') << State(pid);
  close(ends[0]);
  close(ends[1]);
}

TEST(PeerProcessTest, AnEndComesWithTheLastWords) {
  const auto process = StartFake("dies");
  const absl::Status status = process->Call(Request(PeerRequest::STEP), {}, 20, nullptr).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(status.message()), HasSubstr("exited with 3: first words\\nlast words"));
  EXPECT_THAT(std::string(process->Call(Request(PeerRequest::STEP), {}, 20, nullptr).status().message()),
              HasSubstr("has ended"));
}

TEST(PeerProcessTest, ASignalIsNamed) {
  const auto process = StartFake("counts");
  ASSERT_TRUE(process->Call(Request(PeerRequest::STEP), {}, 20, nullptr).ok());
  kill(process->pid(), SIGKILL);
  EXPECT_THAT(std::string(process->Call(Request(PeerRequest::STEP), {}, 20, nullptr).status().message()),
              HasSubstr("ended by signal 9"));
}

TEST(PeerProcessTest, NoAnswerInTimeIsAnErrorAndEndsIt) {
  const auto process = StartFake("hangs");
  const absl::Status status = process->Call(Request(PeerRequest::STEP), {}, 0.2, nullptr).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_NE(kill(process->pid(), 0), 0);
}

TEST(PeerProcessTest, WhatFollowsAnAnswerMustBeExpected) {
  const auto process = StartFake("too_much");
  const absl::Status status = process->Call(Request(PeerRequest::STEP), {}, 20, nullptr).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status.ToString();
}

// sh instead of a peer: a last line without end, output that is no JSON, none at all.
TEST(PeerProcessTest, OtherProgramsAreNoPeers) {
  const auto call = [](const std::string& script) {
    auto process = PeerProcess::Start({"/bin/sh", "-c", script});
    EXPECT_TRUE(process.ok()) << process.status().ToString();
    return (*process)->Call(Request(PeerRequest::STEP), std::vector<float>(100000), 20, nullptr).status();
  };
  EXPECT_EQ(call("exit 0").code(), absl::StatusCode::kInternal);
  EXPECT_EQ(call("echo hello; sleep 5").code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(call("echo '{\"los\": 1}'; sleep 5").code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(call("echo '{\"floats\": -1}'; sleep 5").code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(call("echo '{\"floats\": 1}'; echo abc; sleep 5").code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(call("yes | tr -d '\\n'").code(), absl::StatusCode::kDataLoss);
  // It may say more on its standard error than a pipe holds, and close it.
  const absl::Status talks = call("yes | head -c 1000000 >&2; exec 2>&-; exit 4");
  EXPECT_THAT(std::string(talks.message()), HasSubstr("exited with 4"));
  EXPECT_EQ(PeerProcess::Start({"/no/such/program"}).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace earshot
