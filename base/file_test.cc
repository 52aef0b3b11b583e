#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <string>

namespace earshot {
namespace {

std::string NewDirectory(const std::string& name) {
  const std::string path = std::string(std::getenv("TEST_TMPDIR")) + "/" + name;
  EXPECT_EQ(mkdir(path.c_str(), 0755), 0);
  return path;
}

std::set<std::string> Names(const std::string& directory) {
  std::set<std::string> names;
  DIR* dir = opendir(directory.c_str());
  while (const dirent* entry = readdir(dir)) names.insert(entry->d_name);
  closedir(dir);
  names.erase(".");
  names.erase("..");
  return names;
}

using NameSet = std::set<std::string>;

TEST(FileTest, WritesPartsAndReadsThemBack) {
  const std::string directory = NewDirectory("write"), path = directory + "/last.safetensors";
  const std::string binary("\0\x80\n", 3);
  ASSERT_TRUE(WriteFileAtomically(path, {"head ", binary, "", "tail"}).ok());
  EXPECT_EQ(ReadFile(path, 100).value(), "head " + binary + "tail");
  ASSERT_TRUE(WriteFileAtomically(path, {"new"}).ok());
  EXPECT_EQ(ReadFile(path, 100).value(), "new");
  ASSERT_TRUE(WriteFileAtomically(path, {}).ok());
  EXPECT_EQ(ReadFile(path, 100).value(), "");
  EXPECT_EQ(Names(directory), NameSet{"last.safetensors"});
}

TEST(FileTest, LargeFileInOneWrite) {
  const std::string path = NewDirectory("large") + "/x";
  std::string content(20 << 20, 'a');
  for (size_t i = 0; i < content.size(); i += 4099) content[i] = static_cast<char>(i);
  ASSERT_TRUE(WriteFileAtomically(path, {content}).ok());
  EXPECT_TRUE(ReadFile(path, 20 << 20).value() == content);
  EXPECT_EQ(ReadFile(path, (20 << 20) - 1).status().message(),
            path + ": file of 20971520 bytes, expected at most 20971519");
}

TEST(FileTest, ReadsRegularFilesOnly) {
  const std::string directory = NewDirectory("special"), fifo = directory + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string& path : {fifo, directory, std::string("/dev/zero")}) {
    const absl::Status status = ReadFile(path, 100).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), path + ": expected a regular file");
  }
  EXPECT_EQ(ReadFile(directory + "/none", 100).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadFile(fifo + "/below", 100).status().code(), absl::StatusCode::kNotFound);
}

TEST(FileTest, WritesOverRegularFilesOnly) {
  const std::string directory = NewDirectory("no_file"), fifo = directory + "/fifo", link = directory + "/link";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  ASSERT_EQ(symlink("fifo", link.c_str()), 0);
  // As /dev/stdout links to the standard output, here to a regular file.
  const std::string content = directory + "/content", opened = directory + "/opened";
  ASSERT_TRUE(WriteFileAtomically(content, {"old"}).ok());
  const int fd = open(content.c_str(), O_RDONLY);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(symlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), opened.c_str()), 0);
  for (const std::string& path : {fifo, link, opened}) {
    struct stat before, after;
    ASSERT_EQ(lstat(path.c_str(), &before), 0);
    EXPECT_EQ(WriteFileAtomically(path, {"new"}, directory + "/old").message(),
              path + ": is a device, a pipe, a socket or an open file, expected a regular file");
    ASSERT_EQ(lstat(path.c_str(), &after), 0);
    EXPECT_EQ(before.st_ino, after.st_ino) << path;
  }
  close(fd);
  EXPECT_NE(access((directory + "/old").c_str(), F_OK), 0);
}

TEST(FileTest, FailedWriteLeavesTheOldFileAndNoTemporary) {
  const std::string directory = NewDirectory("failed"), path = directory + "/last";
  ASSERT_TRUE(WriteFileAtomically(path, {"old"}).ok());
  // A file-size limit stands for a full disk: write stops in the middle, then fails.
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const absl::Status status = WriteFileAtomically(path, {std::string(5000, 'x')});
    const bool named = status.message().find(directory + "/.last.tmp.") != absl::string_view::npos &&
                       status.message().find("File too large") != absl::string_view::npos;
    _exit(!status.ok() && named ? 0 : 1);
  }
  int exit_status = -1;
  ASSERT_EQ(waitpid(child, &exit_status, 0), child);
  EXPECT_EQ(exit_status, 0);
  EXPECT_EQ(ReadFile(path, 100).value(), "old");
  EXPECT_EQ(Names(directory), NameSet{"last"});
  // A directory in the way of the rename.
  ASSERT_EQ(mkdir((directory + "/taken").c_str(), 0755), 0);
  EXPECT_FALSE(WriteFileAtomically(directory + "/taken", {"x"}).ok());
  EXPECT_EQ(Names(directory), (NameSet{"last", "taken"}));
}

TEST(FileTest, DirectoryThatCannotBeWritten) {
  const std::string missing = std::string(std::getenv("TEST_TMPDIR")) + "/missing/x";
  EXPECT_EQ(WriteFileAtomically(missing, {"x"}).code(), absl::StatusCode::kNotFound);
  if (geteuid() == 0) {
    std::cout << "SKIPPED: file_test DirectoryThatCannotBeWritten: root may write anywhere\n";
    return;
  }
  const std::string directory = NewDirectory("read_only");
  ASSERT_EQ(chmod(directory.c_str(), 0555), 0);
  EXPECT_EQ(WriteFileAtomically(directory + "/x", {"x"}).code(), absl::StatusCode::kPermissionDenied);
}

TEST(FileTest, KilledWritersLeaveTheOldOrTheNewFile) {
  const std::string directory = NewDirectory("killed"), path = directory + "/last";
  const std::string old_content(300'000, 'a'), new_content(300'000, 'b');
  ASSERT_TRUE(WriteFileAtomically(path, {old_content}).ok());
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      while (true) {
        (void)WriteFileAtomically(path, {new_content});
        (void)WriteFileAtomically(path, {old_content});
      }
    }
    usleep(1000 + 317 * i);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string found = ReadFile(path, 1 << 20).value();
    EXPECT_TRUE(found == old_content || found == new_content);
  }
  std::ofstream(directory + "/.last.tmp." + std::to_string(getpid())) << "ours";
  std::ofstream(directory + "/.hidden") << "not a temporary file";
  ASSERT_TRUE(RemoveStaleTemporaryFiles(directory).ok());
  EXPECT_EQ(Names(directory), (NameSet{".hidden", ".last.tmp." + std::to_string(getpid()), "last"}));
  EXPECT_EQ(RemoveStaleTemporaryFiles(directory + "/none").code(), absl::StatusCode::kNotFound);
}

TEST(FileTest, KeepsTheOldFileUnderAnotherName) {
  const std::string directory = NewDirectory("turns"), last = directory + "/last", previous = directory + "/previous";
  ASSERT_TRUE(WriteFileAtomically(last, {"1"}, previous).ok());  // nothing to keep yet
  EXPECT_EQ(Names(directory), NameSet{"last"});
  ASSERT_TRUE(WriteFileAtomically(last, {"2"}, previous).ok());
  ASSERT_TRUE(WriteFileAtomically(last, {"3"}, previous).ok());
  EXPECT_EQ(ReadFile(last, 10).value(), "3");
  EXPECT_EQ(ReadFile(previous, 10).value(), "2");
  ASSERT_TRUE(RemoveFile(previous).ok());
  ASSERT_TRUE(RemoveFile(previous).ok());
  EXPECT_EQ(Names(directory), NameSet{"last"});
}

TEST(FileTest, MakesDirectories) {
  const std::string base = NewDirectory("make");
  EXPECT_TRUE(MakeDirectories(base + "/a/b//c/").ok());
  EXPECT_TRUE(MakeDirectories(base + "/a/b/c").ok());
  EXPECT_TRUE(MakeDirectories("/").ok());
  std::ofstream(base + "/file") << "x";
  EXPECT_EQ(MakeDirectories(base + "/file").message(), base + "/file: expected a directory");
  EXPECT_FALSE(MakeDirectories(base + "/file/below").ok());
}

TEST(FileTest, PathsOfTheUser) {
  setenv("BUILD_WORKING_DIRECTORY", "/home/me", 1);
  EXPECT_EQ(UserPath("exp/digits"), "/home/me/exp/digits");
  EXPECT_EQ(UserPath("/data"), "/data");
  unsetenv("BUILD_WORKING_DIRECTORY");
  EXPECT_EQ(UserPath("exp/digits"), "exp/digits");
}

}  // namespace
}  // namespace earshot
