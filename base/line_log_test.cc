#include "base/line_log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace earshot {
namespace {

std::string Path(const std::string& name) { return std::string(std::getenv("TEST_TMPDIR")) + "/" + name; }

std::string Content(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

bool KeepAll(absl::string_view) { return true; }

TEST(LineLogTest, AppendsLines) {
  const std::string path = Path("append");
  {
    LineLog log;
    ASSERT_TRUE(log.Open(path, KeepAll).ok());
    EXPECT_EQ(Content(path), "");
    ASSERT_TRUE(log.Append("one").ok());
    ASSERT_TRUE(log.Append("").ok());
  }
  LineLog log;
  ASSERT_TRUE(log.Open(path, KeepAll).ok());
  ASSERT_TRUE(log.Append("three").ok());
  EXPECT_EQ(Content(path), "one\n\nthree\n");
}

TEST(LineLogTest, ResumedRunTakesLinesBack) {
  const std::string path = Path("resume");
  std::ofstream(path) << "step 1\nstep 2\nstep 3\nstep 4 cut sho";
  std::vector<std::string> asked;
  LineLog log;
  ASSERT_TRUE(log.Open(path,
                       [&](absl::string_view line) {
                         asked.emplace_back(line);
                         return line < "step 3";
                       })
                  .ok());
  EXPECT_EQ(asked, (std::vector<std::string>{"step 1", "step 2", "step 3"}));
  ASSERT_TRUE(log.Append("step 3 again").ok());
  EXPECT_EQ(Content(path), "step 1\nstep 2\nstep 3 again\n");
}

TEST(LineLogTest, FailedAppendLeavesNoPartOfALine) {
  const std::string path = Path("full");
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    LineLog log;
    bool right = log.Open(path, KeepAll).ok() && log.Append("first").ok();
    const rlimit limit = {10, 100};  // a disk with room for four more bytes
    setrlimit(RLIMIT_FSIZE, &limit);
    const absl::Status status = log.Append("second line");
    right = right && status.message() == path + ": cannot write: File too large";
    const rlimit more = {100, 100};
    setrlimit(RLIMIT_FSIZE, &more);
    _exit(right && log.Append("third").ok() ? 0 : 1);
  }
  int exit_status = -1;
  ASSERT_EQ(waitpid(child, &exit_status, 0), child);
  EXPECT_EQ(exit_status, 0);
  EXPECT_EQ(Content(path), "first\nthird\n");
}

TEST(LineLogTest, ErrorsNameThePath) {
  LineLog log;
  const absl::Status missing = log.Open(Path("none") + "/log", KeepAll);
  EXPECT_EQ(missing.message().find(Path("none") + "/log: "), 0u) << missing;
  LineLog directory;
  EXPECT_FALSE(directory.Open(std::getenv("TEST_TMPDIR"), KeepAll).ok());
}

}  // namespace
}  // namespace earshot
