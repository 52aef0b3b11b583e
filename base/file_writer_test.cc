#include "base/file_writer.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/file.h"

namespace earshot {
namespace {

std::string Path(const std::string& name) { return testing::TempDir() + "/file_writer_" + name; }

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

TEST(FileWriterTest, PiecesOfAllSizesEndUpInOrder) {
  const std::string path = Path("pieces");
  auto writer = FileWriter::Create(path);
  ASSERT_TRUE(writer.ok()) << writer.status();
  std::string expected;
  for (size_t bytes :
       {size_t{3}, size_t{0}, size_t{1} << 18, size_t{70000}, size_t{300001}, size_t{200000}, size_t{1}}) {
    std::string piece(bytes, '\0');
    for (size_t i = 0; i < bytes; ++i) piece[i] = static_cast<char>((expected.size() + i) * 2654435761u >> 11);
    ASSERT_TRUE((*writer)->Append(piece).ok());
    expected += piece;
    EXPECT_EQ((*writer)->size(), static_cast<int64_t>(expected.size()));
  }
  EXPECT_FALSE(Exists(path)) << "seen before it was closed";
  ASSERT_TRUE((*writer)->Close().ok());
  const auto content = ReadFile(path, 1 << 24);
  ASSERT_TRUE(content.ok()) << content.status();
  EXPECT_TRUE(*content == expected);
  EXPECT_FALSE(Exists(TemporaryPath(path)));
}

TEST(FileWriterTest, WithoutCloseTheOldFileStays) {
  const std::string path = Path("old");
  ASSERT_TRUE(WriteFileAtomically(path, {"old"}).ok());
  {
    auto writer = FileWriter::Create(path);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)->Append("new").ok());
    EXPECT_TRUE(Exists(TemporaryPath(path)));
  }
  EXPECT_FALSE(Exists(TemporaryPath(path)));
  EXPECT_EQ(*ReadFile(path, 100), "old");
}

TEST(FileWriterTest, NamesTheFileThatCannotBeWritten) {
  EXPECT_EQ(FileWriter::Create("/no/such/folder/a").status().message(),
            "/no/such/folder/.a.tmp." + std::to_string(getpid()) + ": cannot create: No such file or directory");
  const std::string folder = Path("folder");
  ASSERT_TRUE(MakeDirectories(folder).ok());
  auto writer = FileWriter::Create(folder);  // a directory is in the way: the rename fails
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE((*writer)->Append("x").ok());
  const absl::Status status = (*writer)->Close();
  EXPECT_NE(std::string(status.message()).find(": cannot rename "), std::string::npos) << status;
  EXPECT_FALSE(Exists(TemporaryPath(folder)));
  const std::string fifo = Path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(FileWriter::Create(fifo).status().message(),
            fifo + ": is a device, a pipe, a socket or an open file, expected a regular file");
}

}  // namespace
}  // namespace earshot
