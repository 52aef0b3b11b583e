// Reads the files that the command line names, and every mutation of those of at most 2 KiB that are read without
// error.
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/testing/mutation.h"
#include "base/testing/read_once.h"
#include "base/testing/reader_under_test.h"

namespace earshot {
namespace {

constexpr size_t kMutatedBytes = 2048;
std::vector<std::pair<std::string, std::string>> seeds;  // path, content

TEST(ReaderTest, Seeds) {
  int readable = 0;
  for (const auto& [path, content] : seeds) {
    const ReadOutcome outcome = ReadOnce(content, kReaderUnderTest.read);
    EXPECT_EQ(outcome.broken, "") << path;
    readable += !outcome.refused;
  }
  std::cout << seeds.size() << " seeds, " << readable << " read without error" << std::endl;
  EXPECT_GT(readable, 0);
}

TEST(ReaderTest, EveryMutationOfSmallSeeds) {
  int mutated = 0;
  for (const auto& [path, content] : seeds) {
    if (content.size() > kMutatedBytes || ReadOnce(content, kReaderUnderTest.read).refused) continue;
    SCOPED_TRACE(path);
    std::cout << path << ": ";
    ReadEveryMutation(content, kReaderUnderTest.read, {kReaderUnderTest.min_refused, kReaderUnderTest.repair});
    ++mutated;
  }
  EXPECT_GT(mutated, 0) << "no readable seed of at most " << kMutatedBytes << " bytes";
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    absl::StatusOr<std::string> content = earshot::ReadFile(argv[i], 1 << 24);
    if (!content.ok()) {
      std::cerr << content.status().message() << std::endl;
      return 1;
    }
    earshot::seeds.emplace_back(argv[i], *std::move(content));
  }
  return RUN_ALL_TESTS();
}
