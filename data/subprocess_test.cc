#include "data/subprocess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

namespace earshot {
namespace {

using ::testing::HasSubstr;

TEST(Subprocess, GivesTheOutputOfTheArgumentsAsTheyAre) {
  EXPECT_EQ(RunProgram({"printf", "%s|%s", "a b", "$HOME; ls"}).value(), "a b|$HOME; ls");
  EXPECT_EQ(RunProgram({"cat"}).value(), "");  // its input is empty
  EXPECT_EQ(RunProgram({"/bin/sh", "-c", "printf x; printf problem >&2"}).value(), "x");
}

TEST(Subprocess, MoreThanAPipeHolds) {
  const auto output = RunProgram({"head", "-c", "1000000", "/dev/zero"});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->size(), 1000000u);
}

TEST(Subprocess, ErrorsNameTheProgram) {
  absl::Status status = RunProgram({"no-such-program"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no-such-program: no such program"));
  status = RunProgram({"sh", "-c", "echo the reason >&2; exit 3"}).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("sh: exited with 3: the reason"));
  status = RunProgram({"sh", "-c", "kill -9 $$"}).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("sh: was ended by signal 9"));
  SubprocessOptions options;
  options.max_output_bytes = 1000;
  status = RunProgram({"cat", "/dev/zero"}, options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

TEST(Subprocess, TheTimeLimitHolds) {
  const auto start = std::chrono::steady_clock::now();
  SubprocessOptions options;
  options.timeout_seconds = 0.2;
  const absl::Status status = RunProgram({"sleep", "30"}, options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(status.message()), HasSubstr("sleep: not done in 0.2 s"));
  // Also for a program that has closed its outputs and runs on.
  EXPECT_EQ(RunProgram({"sh", "-c", "exec sleep 30 >&- 2>&-"}, options).status().code(),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Subprocess, StoppingEndsIt) {
  const auto start = std::chrono::steady_clock::now();
  std::atomic<bool> stop{false};
  SubprocessOptions options;
  options.stop = &stop;
  EXPECT_EQ(RunProgram({"printf", "x"}, options).value(), "x");
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop = true;
  });
  EXPECT_EQ(RunProgram({"sleep", "15"}, options).status().code(), absl::StatusCode::kCancelled);
  other.join();
  EXPECT_EQ(RunProgram({"sleep", "15"}, options).status().code(), absl::StatusCode::kCancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

// Gone, or dead and not yet waited for by whoever inherited it.
bool IsDead(const std::string& pid) {
  std::ifstream status("/proc/" + pid + "/status");
  const std::string text(std::istreambuf_iterator<char>(status), {});
  return text.empty() || text.find("State:\tZ") != std::string::npos;
}

TEST(Subprocess, WhatAShellStartedEndsWithIt) {
  char folder[] = "/tmp/subprocess_test_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  SubprocessOptions options;
  options.directory = folder;
  options.max_output_bytes = 1000;
  // A program in the background, then too much output.
  const std::string script = "sh -c 'echo $$ > pid; exec sleep 60' & while ! [ -s pid ]; do :; done; cat /dev/zero";
  EXPECT_EQ(RunProgram({"sh", "-c", script}, options).status().code(), absl::StatusCode::kResourceExhausted);
  std::string pid = RunProgram({"cat", "pid"}, options).value();
  pid.pop_back();
  for (int i = 0; i < 1000 && !IsDead(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(IsDead(pid));
  unlink((std::string(folder) + "/pid").c_str());
  rmdir(folder);
}

// The number of a process that a script wrote into a file, once it is there.
std::string ReadPid(const std::string& path) {
  std::string pid;
  for (int i = 0; i < 1000 && pid.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::ifstream file(path);
    if (!std::getline(file, pid) || file.eof()) pid.clear();  // not yet the whole line
  }
  return pid;
}

// It does what it has to do first, then exits with 75; with another code that is an error after all.
TEST(Subprocess, IsAskedToStop) {
  std::atomic<bool> stop{false};
  SubprocessOptions options;
  options.stop = &stop;
  options.stops_cleanly = true;
  const std::string path = testing::TempDir() + "/stopped";
  const auto run = [&](const std::string& code) {
    unlink(path.c_str());
    stop = false;
    std::thread other([&] {
      EXPECT_NE(ReadPid(path), "");
      stop = true;
    });
    const absl::Status status =
        RunProgram({"/bin/sh", "-c",
                    "trap 'sleep 0.1; exit " + code + "' TERM; echo $$ > '" + path + "'; while :; do sleep 0.01; done"},
                   options)
            .status();
    other.join();
    return status;
  };
  EXPECT_EQ(run("75").code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(std::string(run("1").message()), HasSubstr("exited with 1"));
  EXPECT_TRUE(run("0").ok());
  stop = false;
  EXPECT_EQ(RunProgram({"/bin/sh", "-c", "exit 75"}, options).status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(RunProgram({"/no/such/program"}, options).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(RunProgram({"/bin/cat"}, options).value(), "");  // its input is empty, too
}

TEST(Subprocess, EndsWithItsKilledParent) {
  const std::string path = testing::TempDir() + "/orphan";
  unlink(path.c_str());
  const pid_t parent = fork();
  if (parent == 0) {
    SubprocessOptions options;
    options.stops_cleanly = true;
    RunProgram({"/bin/sh", "-c", "echo $$ > '" + path + "'; exec sleep 60"}, options).status().IgnoreError();
    _exit(0);
  }
  const std::string pid = ReadPid(path);
  ASSERT_NE(pid, "");
  EXPECT_FALSE(IsDead(pid));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  for (int i = 0; i < 1000 && !IsDead(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(IsDead(pid));
}

TEST(Subprocess, ErrorsAreOnePrintableLine) {
  const absl::Status status = RunProgram({"sh", "-c", "printf 'a\\033[31m\\nb\\n' >&2; exit 1"}).status();
  EXPECT_EQ(std::string(status.message()), "sh: exited with 1: a\\x1b[31m\\nb");
  EXPECT_EQ(std::string(RunProgram({"false"}).status().message()), "false: exited with 1");
}

TEST(Subprocess, ManyAtOnce) {
  std::vector<std::thread> threads;
  std::vector<std::string> outputs(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&outputs, i] {
      for (int j = 0; j < 20; ++j) outputs[i] += RunProgram({"printf", "%s", std::to_string(i)}).value_or("?");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 8; ++i) EXPECT_EQ(outputs[i], std::string(20, static_cast<char>('0' + i)));
}

}  // namespace
}  // namespace earshot
