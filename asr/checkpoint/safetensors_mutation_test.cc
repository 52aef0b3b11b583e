// Every small change of a small file: the reader either refuses it, naming the byte, or reads something that keeps the
// format's rules. It never takes more memory than four times the file and a mebibyte. (The sanitizers look on in CI.)
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "asr/checkpoint/safetensors.h"
#include "base/file.h"

namespace {

// Bytes that operator new has handed out and not got back, and the most there ever were.
std::atomic<int64_t> allocated{0}, peak{0};
constexpr size_t kPrefix = 16;  // keeps the alignment

}  // namespace

void* operator new(size_t size) {
  char* block = static_cast<char*>(std::malloc(size + kPrefix));
  if (block == nullptr) std::abort();
  *reinterpret_cast<size_t*>(block) = size;
  allocated += static_cast<int64_t>(size);
  if (allocated > peak) peak = allocated.load();
  return block + kPrefix;
}

void operator delete(void* pointer) noexcept {
  if (pointer == nullptr) return;
  char* block = static_cast<char*>(pointer) - kPrefix;
  allocated -= static_cast<int64_t>(*reinterpret_cast<size_t*>(block));
  std::free(block);
}
void operator delete(void* pointer, size_t) noexcept { operator delete(pointer); }

namespace earshot {
namespace {

class MutationTest : public testing::Test {
 protected:
  MutationTest() : file_(ReadFile("asr/checkpoint/testdata/golden.safetensors", 1 << 20).value()) {}

  // Reads a changed file and checks what came out.
  void Check(const std::string& file, absl::string_view what) {
    ++cases_;
    const int64_t before = allocated;
    peak = before;
    const auto content = ReadSafetensors(file, "dir/f");
    EXPECT_LE(peak - before, 4 * static_cast<int64_t>(file.size()) + (1 << 20)) << what;
    if (!content.ok()) {
      ++refused_;
      const absl::string_view message = content.status().message();
      const size_t expected = message.find(": expected "), found = message.find(", found ");
      EXPECT_TRUE(absl::StartsWith(message, "dir/f: byte ") && expected < found && found < message.size()) << message;
      EXPECT_TRUE(std::all_of(message.begin(), message.end(), absl::ascii_isprint)) << what;
      return;
    }
    const char* at = file.data() + file.size();
    for (size_t i = content->tensors.size(); i-- > 0;) {
      const SafetensorsTensor& tensor = content->tensors[i];
      int64_t size = SafetensorsTypeSize(tensor.type);
      for (int64_t d : tensor.shape) size *= d;
      EXPECT_EQ(size, static_cast<int64_t>(tensor.data.size())) << what;
      EXPECT_EQ(tensor.data.data() + size, at) << what;
      at -= size;
    }
    EXPECT_GE(at, file.data() + 8) << what;
  }

  const std::string file_;
  int cases_ = 0, refused_ = 0;
};

TEST_F(MutationTest, EveryBit) {
  std::string file = file_;
  for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
    file[bit / 8] = static_cast<char>(file[bit / 8] ^ 1 << bit % 8);
    Check(file, absl::StrCat("bit ", bit));
    file[bit / 8] = file_[bit / 8];
  }
  EXPECT_EQ(cases_, 8 * static_cast<int>(file_.size()));
  EXPECT_GT(refused_, cases_ / 2);
  EXPECT_LT(refused_, cases_);  // values are not looked at
}

TEST_F(MutationTest, EveryTruncationAndEveryByteDeleted) {
  for (size_t i = 0; i < file_.size(); ++i) {
    Check(file_.substr(0, i), absl::StrCat("cut at ", i));
    Check(file_.substr(0, i) + file_.substr(i + 1), absl::StrCat("without byte ", i));
  }
  EXPECT_EQ(refused_, cases_);
}

TEST_F(MutationTest, EveryNumber) {
  const char* const values[] = {"0",
                                "1",
                                "-1",
                                "127",
                                "2147483647",
                                "2147483648",
                                "4294967295",
                                "9223372036854775807",
                                "18446744073709551615",
                                "1e9",
                                "0.5",
                                "null",
                                "[",
                                "\"\""};
  const size_t header_end = 8 + static_cast<unsigned char>(file_[0]) + 256 * static_cast<unsigned char>(file_[1]);
  int numbers = 0;
  for (size_t begin = file_.find("\"dtype\""); begin < header_end; ++begin) {
    if (!isdigit(file_[begin]) || isalnum(file_[begin - 1])) continue;
    size_t end = begin;
    while (isdigit(file_[end])) ++end;
    ++numbers;
    for (const char* value : values) {
      std::string file = file_.substr(0, begin) + value + file_.substr(end);
      const size_t length = header_end - 8 + std::string(value).size() - (end - begin);
      file[0] = static_cast<char>(length & 0xFF);
      file[1] = static_cast<char>(length >> 8);
      Check(file, absl::StrCat("byte ", begin, ": ", value));
    }
    begin = end;
  }
  EXPECT_EQ(numbers, 14 + 9);  // offsets and dimensions of 7 tensors
  EXPECT_GT(refused_, cases_ * 8 / 10);
}

// What costs most memory a byte of the file.
TEST_F(MutationTest, CrowdedHeaders) {
  const auto file = [](const std::string& json) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(json.size() >> (8 * i) & 0xFF));
    return bytes + json;
  };
  std::string tensors = "{", metadata = R"({"__metadata__":{)", shape = R"({"a":{"shape":[)";
  for (int i = 0; i < 300000; ++i) {
    absl::StrAppend(&tensors, i > 0 ? "," : "", "\"", i, R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})");
    absl::StrAppend(&metadata, i > 0 ? "," : "", "\"", i, "\":\"\"");
    shape += "0,";
  }
  Check(file(tensors + "}"), "tensors");
  Check(file(metadata + "}}"), "metadata");
  Check(file(shape + "0]}}"), "shape");
  Check(file("{\"" + std::string(1 << 20, 'x') + "\":1}"), "name");
  EXPECT_EQ(refused_, 4);
}

}  // namespace
}  // namespace earshot
