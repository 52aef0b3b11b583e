#include "base/file_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>

namespace earshot {
namespace {

std::string Path(const std::string& name) { return std::string(std::getenv("TEST_TMPDIR")) + "/" + name; }

TEST(FileLockTest, OneHolderAtATime) {
  const std::string path = Path("one");
  auto lock = FileLock::Acquire(path);
  ASSERT_TRUE(lock.ok()) << lock.status();
  const absl::Status second = FileLock::Acquire(path).status();
  EXPECT_EQ(second.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(second.message(), path + ": held by another process with the id " + std::to_string(getpid()));
  lock->reset();
  EXPECT_TRUE(FileLock::Acquire(path).ok());
}

TEST(FileLockTest, EndsWithItsProcess) {
  const std::string path = Path("killed");
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = FileLock::Acquire(path);
    const char ok = lock.ok() ? 'y' : 'n';
    if (write(ready[1], &ok, 1) != 1) _exit(1);
    while (true) pause();
  }
  char ok = 0;
  ASSERT_EQ(read(ready[0], &ok, 1), 1);
  EXPECT_EQ(ok, 'y');
  const absl::Status taken = FileLock::Acquire(path).status();
  EXPECT_NE(taken.message().find("with the id " + std::to_string(child)), absl::string_view::npos) << taken;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
  auto lock = FileLock::Acquire(path);
  ASSERT_TRUE(lock.ok()) << lock.status();
  std::string owner;
  std::getline(std::ifstream(path), owner);
  EXPECT_EQ(owner, std::to_string(getpid()));
}

TEST(FileLockTest, ErrorsNameThePath) {
  const absl::Status status = FileLock::Acquire(Path("missing") + "/lock").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message().find(Path("missing") + "/lock: cannot open"), 0u) << status;
}

}  // namespace
}  // namespace earshot
