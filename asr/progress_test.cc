#include "asr/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

namespace earshot {
namespace {

ProgressState SomeState(int step) {
  ProgressState state;
  state.epochs = 3;
  state.step = step;
  state.steps = 100;
  state.done = step / 300.0;
  state.loss = 1.25;
  state.frames = 1000;
  return state;
}

std::string Content(FILE* file) {
  std::rewind(file);
  std::string text(1 << 16, 0);
  text.resize(std::fread(&text[0], 1, text.size(), file));
  return text;
}

TEST(FormatDurationTest, MinutesAndHours) {
  EXPECT_EQ(FormatDuration(0), "0:00");
  EXPECT_EQ(FormatDuration(-3), "0:00");
  EXPECT_EQ(FormatDuration(9.4), "0:09");
  EXPECT_EQ(FormatDuration(59.6), "1:00");
  EXPECT_EQ(FormatDuration(65), "1:05");
  EXPECT_EQ(FormatDuration(3599.7), "1:00:00");
  EXPECT_EQ(FormatDuration(3725), "1:02:05");
  EXPECT_EQ(FormatDuration(100 * 3600), "100:00:00");
}

TEST(ProgressTest, PlainLinesWithoutATerminal) {
  FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    Progress progress(file);
    for (int step = 0; step < 100; ++step) progress.Update(SomeState(step));
    progress.Print("epoch 1/3: done");
    for (int step = 0; step < 100; ++step) progress.Update(SomeState(step));
  }
  // Lines of steps come every 30 seconds only.
  EXPECT_EQ(Content(file), "epoch 1/3: done\n");
  std::fclose(file);
}

TEST(ProgressTest, QuietStillWarns) {
  FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  Progress progress(file, /*quiet=*/true);
  progress.Update(SomeState(1));
  progress.Print("epoch 1/3: done");
  progress.Warn("warning: something");
  EXPECT_EQ(Content(file), "warning: something\n");
  std::fclose(file);
}

// Both ends of a pseudo-terminal: what is written to `terminal` comes out of Drain().
class ProgressTerminalTest : public testing::Test {
 protected:
  void SetUp() override {
    controller_ = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_TRUE(controller_ >= 0 && grantpt(controller_) == 0 && unlockpt(controller_) == 0)
        << "no pseudo-terminal: " << std::strerror(errno) << "; is /dev/ptmx there?";
    terminal = fdopen(open(ptsname(controller_), O_RDWR | O_NOCTTY), "w");
    ASSERT_NE(terminal, nullptr);
    fcntl(controller_, F_SETFL, O_NONBLOCK);
  }
  void TearDown() override {
    if (terminal != nullptr) std::fclose(terminal);
    if (controller_ >= 0) close(controller_);
  }
  std::string Drain() {
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = read(controller_, buffer, sizeof(buffer))) > 0;) text.append(buffer, n);
    return text;
  }
  FILE* terminal = nullptr;

 private:
  int controller_ = -1;
};

TEST_F(ProgressTerminalTest, RedrawsOneLineAFewTimesASecond) {
  auto progress = std::make_unique<Progress>(terminal);
  const auto start = std::chrono::steady_clock::now();
  for (int step = 0; step < 50; ++step) {
    progress->Update(SomeState(step));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string drawn = Drain();
  const int64_t draws = std::count(drawn.begin(), drawn.end(), '\r');
  EXPECT_GE(draws, 1);
  EXPECT_LE(draws, seconds / 0.1 + 1);
  EXPECT_EQ(std::count(drawn.begin(), drawn.end(), '\n'), 0);
  EXPECT_NE(drawn.find("epoch 1/3"), std::string::npos) << drawn;
  EXPECT_NE(drawn.find("loss 1.2500"), std::string::npos) << drawn;

  // A line that stays: the bar goes first. The bar is gone at the end, too.
  progress->Print("epoch 1/3: done");
  EXPECT_EQ(Drain(), "\r\033[Kepoch 1/3: done\r\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(110));
  progress->Update(SomeState(60));
  EXPECT_NE(Drain(), "");
  progress.reset();
  EXPECT_EQ(Drain(), "\r\033[K");
}

}  // namespace
}  // namespace earshot
