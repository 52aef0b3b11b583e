#include "data/byte_window.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/file.h"

namespace earshot {
namespace {

std::string Bytes(int64_t n) {
  std::string bytes(n, '\0');
  for (int64_t i = 0; i < n; ++i) bytes[i] = static_cast<char>(static_cast<uint64_t>(i) * 2654435761u >> 9);
  return bytes;
}

// Random steps over the same bytes in memory and in a file see the same.
TEST(ByteWindowTest, FileAndMemoryAgree) {
  const std::string content = Bytes(50000);
  const std::string path = testing::TempDir() + "/byte_window";
  ASSERT_TRUE(WriteFileAtomically(path, {content}).ok());
  const auto file = InputFile::Open(path);
  ASSERT_TRUE(file.ok());
  std::mt19937 random(3);
  for (int64_t chunk : {1, 64, 1000, 100000}) {
    ByteWindow windows[] = {ByteWindow(content, "name"), ByteWindow(file->get(), chunk)};
    int64_t position = 0;
    for (int step = 0; step < 3000; ++step) {
      const int64_t left = static_cast<int64_t>(content.size()) - position;
      const int64_t n = std::min<int64_t>(random() % 300, left);
      const int what = left == 0 ? 3 : static_cast<int>(random() % 4);
      for (ByteWindow& window : windows) {
        ASSERT_EQ(window.position(), position);
        ASSERT_EQ(window.remaining(), left);
        if (what == 0) {
          const auto next = window.Peek(n + 5);
          ASSERT_TRUE(next.ok());
          ASSERT_GE(static_cast<int64_t>(next->size()), std::min(n + 5, left));
          ASSERT_TRUE(*next == absl::string_view(content).substr(position, next->size()));
        } else if (what == 1) {
          window.Skip(n);
        } else if (what == 2) {
          std::string out(n, '\0');
          ASSERT_TRUE(window.Read(n, &out[0]).ok());
          ASSERT_EQ(out, content.substr(position, n));
        } else {
          window.Seek((position * 7 + 13) % 40000);
        }
      }
      position = windows[0].position();
    }
  }
}

TEST(ByteWindowTest, SkipsSpaceAcrossChunks) {
  const std::string path = testing::TempDir() + "/byte_window_space";
  ASSERT_TRUE(WriteFileAtomically(path, {" \t\r\n\v\f     x  "}).ok());
  const auto file = InputFile::Open(path);
  ASSERT_TRUE(file.ok());
  ByteWindow window(file->get(), 2);
  ASSERT_TRUE(SkipSpace(&window).ok());
  EXPECT_EQ(window.position(), 11);
  window.Skip(1);
  ASSERT_TRUE(SkipSpace(&window).ok());
  EXPECT_EQ(window.remaining(), 0);
  EXPECT_TRUE(window.Peek(10)->empty());
}

}  // namespace
}  // namespace earshot
