#include "base/input_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/file.h"

namespace earshot {
namespace {

std::string Path(const std::string& name) { return testing::TempDir() + "/input_file_" + name; }

TEST(InputFileTest, ReadsAnyPart) {
  const std::string path = Path("parts");
  ASSERT_TRUE(WriteFileAtomically(path, {"0123456789"}).ok());
  const auto file = InputFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->size(), 10);
  std::string part(4, ' ');
  ASSERT_TRUE((*file)->Read(6, 4, &part[0]).ok());
  EXPECT_EQ(part, "6789");
  ASSERT_TRUE((*file)->Read(0, 4, &part[0]).ok());
  EXPECT_EQ(part, "0123");
  EXPECT_TRUE((*file)->Read(10, 0, nullptr).ok());
}

TEST(InputFileTest, SaysThatTheFileWasCutMeanwhile) {
  const std::string path = Path("cut");
  ASSERT_TRUE(WriteFileAtomically(path, {"0123456789"}).ok());
  const auto file = InputFile::Open(path);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(truncate(path.c_str(), 7), 0);
  char out[10];
  EXPECT_EQ((*file)->Read(0, 10, out).message(), path + ": byte 7: expected a file of 10 bytes, found its end");
}

TEST(InputFileTest, RefusesWhatIsNoRegularFile) {
  EXPECT_EQ(InputFile::Open(Path("absent")).status().message(),
            Path("absent") + ": cannot open: No such file or directory");
  EXPECT_EQ(InputFile::Open("/dev/zero").status().message(), "/dev/zero: expected a regular file");
  const std::string fifo = Path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(InputFile::Open(fifo).status().message(), fifo + ": expected a regular file");
  unlink(fifo.c_str());
}

}  // namespace
}  // namespace earshot
