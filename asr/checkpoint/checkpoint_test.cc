#include "asr/checkpoint/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "asr/checkpoint/safetensors.h"
#include "base/crc32c.h"
#include "base/file.h"

namespace earshot {
namespace {

Checkpoint Example() {
  Checkpoint checkpoint;
  checkpoint.metadata = {{"config", "name: \"digits\"\nseed: 1\n"}, {"step", "12"}, {"tokens", "<blank> caf\u00e9"}};
  checkpoint.tensors["lstm.weight_ih_l0"] = {{4, 3}, {1, -2, 3e-39f, 4, 5, 6, 7, 8, 9, -0.0f, 11, 3.4e38f}};
  checkpoint.tensors["output.bias"] = {{2}, {0.5f, -0.25f}};
  checkpoint.tensors["optimizer.count"] = {{}, {12}};
  return checkpoint;
}

std::string Path(absl::string_view name) { return absl::StrCat(testing::TempDir(), "/", name); }

// The bytes of a saved checkpoint.
std::string Saved(const Checkpoint& checkpoint) {
  const std::string path = Path("saved.safetensors");
  EXPECT_TRUE(SaveCheckpoint(path, checkpoint).ok());
  auto bytes = ReadFile(path, 1 << 20);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return *bytes;
}

void ExpectSame(const Checkpoint& a, const Checkpoint& b) {
  EXPECT_EQ(a.metadata, b.metadata);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (const auto& [name, tensor] : a.tensors) {
    const CheckpointTensor& other = b.tensors.at(name);
    EXPECT_EQ(tensor.shape, other.shape) << name;
    ASSERT_EQ(tensor.values.size(), other.values.size()) << name;
    EXPECT_EQ(std::memcmp(tensor.values.data(), other.values.data(), 4 * tensor.values.size()), 0) << name;
  }
}

TEST(CheckpointTest, RoundTripKeepsEveryBit) {
  for (const Checkpoint& checkpoint : {Example(), Checkpoint()}) {
    const std::string path = Path("round_trip.safetensors");
    ASSERT_TRUE(SaveCheckpoint(path, checkpoint).ok());
    const auto loaded = LoadCheckpoint(path);
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    ExpectSame(checkpoint, *loaded);
  }
}

TEST(CheckpointTest, FileIsOrdinarySafetensorsWithItsOwnChecksum) {
  std::string file = Saved(Example());
  EXPECT_EQ(Saved(Example()), file) << "the same content must give the same bytes";
  const auto content = ReadSafetensors(file, "f");
  ASSERT_TRUE(content.ok()) << content.status();
  ASSERT_EQ(content->metadata[0].first, "crc32c");
  const std::string digits = content->metadata[0].second;
  file.replace(file.find(digits), 8, "00000000");
  EXPECT_EQ(absl::StrCat(absl::Hex(Crc32c(file), absl::kZeroPad8)), digits);
}

TEST(CheckpointTest, KeepsTheOldFileUnderAnotherName) {
  const std::string path = Path("new.safetensors"), old_path = Path("old.safetensors");
  ASSERT_TRUE(SaveCheckpoint(path, Example(), old_path).ok());
  EXPECT_EQ(LoadCheckpoint(old_path).status().code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(SaveCheckpoint(path, Checkpoint(), old_path).ok());
  ExpectSame(LoadCheckpoint(old_path).value(), Example());
  ExpectSame(LoadCheckpoint(path).value(), Checkpoint());
}

TEST(CheckpointTest, EveryFlippedBitIsFound) {
  std::string file = Saved(Example());
  ASSERT_LE(file.size(), 4096u);
  // Filled up to 4 KiB, so that all 32768 bits are flipped.
  Checkpoint example = Example();
  example.tensors["z"] = {{0}, {}};
  const size_t fixed = Saved(example).size();
  const int64_t fill = (4096 - fixed) / 4 - 2;  // the shape and the offsets get some digits longer
  example.tensors["z"] = {{fill}, std::vector<float>(fill, 0.1f)};
  file = Saved(example);
  ASSERT_LE(file.size(), 4096u);
  ASSERT_GE(file.size(), 4080u);
  ASSERT_TRUE(ParseCheckpoint(file, "f").ok());
  int64_t missed = 0;
  for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
    file[bit / 8] = static_cast<char>(file[bit / 8] ^ 1 << bit % 8);
    const absl::Status status = ParseCheckpoint(file, "dir/f").status();
    file[bit / 8] = static_cast<char>(file[bit / 8] ^ 1 << bit % 8);
    if (status.code() != absl::StatusCode::kInvalidArgument || !absl::StartsWith(status.message(), "dir/f: byte ")) {
      ++missed;
    }
  }
  EXPECT_EQ(missed, 0) << "of " << 8 * file.size();
}

TEST(CheckpointTest, EveryTruncationAndExtensionIsFound) {
  const std::string file = Saved(Example());
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_FALSE(ParseCheckpoint(absl::string_view(file).substr(0, size), "f").ok()) << size;
  }
  for (const char* tail : {"x", "\n"}) EXPECT_FALSE(ParseCheckpoint(absl::StrCat(file, tail), "f").ok());
  EXPECT_FALSE(ParseCheckpoint(file + file, "f").ok());
}

// What a disk loses is whole sectors: zeroed, written twice, or written in each other's place.
TEST(CheckpointTest, DamagedSectorsAreFound) {
  Checkpoint checkpoint = Example();
  checkpoint.tensors["z"] = {{2048}, std::vector<float>(2048)};
  for (int i = 0; i < 2048; ++i) checkpoint.tensors["z"].values[i] = 0.001f * i;
  const std::string file = Saved(checkpoint);
  constexpr size_t kSector = 512;
  const size_t sectors = file.size() / kSector;
  ASSERT_GE(sectors, 16u);
  for (size_t i = 0; i < sectors; ++i) {
    std::string zeroed = file;
    zeroed.replace(i * kSector, kSector, kSector, '\0');
    EXPECT_FALSE(ParseCheckpoint(zeroed, "f").ok()) << i;
    std::string inserted = file;
    inserted.insert(i * kSector, file.substr(i * kSector, kSector));
    EXPECT_FALSE(ParseCheckpoint(inserted, "f").ok()) << i;
    for (size_t j = 0; j < sectors; ++j) {
      if (i == j) continue;
      std::string duplicated = file, swapped = file;
      duplicated.replace(j * kSector, kSector, file, i * kSector, kSector);
      EXPECT_FALSE(ParseCheckpoint(duplicated, "f").ok()) << i << " over " << j;
      swapped.replace(i * kSector, kSector, file, j * kSector, kSector);
      swapped.replace(j * kSector, kSector, file, i * kSector, kSector);
      EXPECT_FALSE(ParseCheckpoint(swapped, "f").ok()) << i << " and " << j;
    }
  }
}

// After a power cut a file can have its right size and hold zeros.
TEST(CheckpointTest, ErrorsNameFileAndPlace) {
  const std::string file = Saved(Example());
  EXPECT_EQ(ParseCheckpoint(std::string(file.size(), '\0'), "exp/last.safetensors").status().message(),
            "exp/last.safetensors: byte 8: expected {\"__metadata__\":{\"crc32c\":\", found something else: not a "
            "checkpoint or damaged");
  std::string damaged = file;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  const std::string stored = file.substr(35, 8);
  const std::string actual =
      absl::StrCat(absl::Hex(Crc32c(damaged.substr(43), Crc32c(file.substr(0, 35) + "00000000")), absl::kZeroPad8));
  EXPECT_EQ(ParseCheckpoint(damaged, "f").status().message(),
            absl::StrCat("f: byte 35: expected the CRC-32C ", actual, ", found ", stored, ": the file is damaged"));
  EXPECT_EQ(LoadCheckpoint("/nonexistent/x").status().message(),
            "/nonexistent/x: cannot open: No such file or directory");
  EXPECT_EQ(LoadCheckpoint("/dev/zero").status().message(), "/dev/zero: expected a regular file");
}

TEST(CheckpointTest, RefusesValuesThatAreNotFinite) {
  Checkpoint checkpoint;
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    checkpoint.tensors["w"] = {{2}, {1, bad}};
    EXPECT_TRUE(absl::StrContains(SaveCheckpoint(Path("bad"), checkpoint).message(),
                                  "/bad: tensor \"w\": expected finite values, found "));
  }
  EXPECT_EQ(ReadFile(Path("bad"), 1 << 20).status().code(), absl::StatusCode::kNotFound);
}

TEST(CheckpointTest, RefusesWhatAFileCannotHold) {
  Checkpoint checkpoint;
  checkpoint.tensors["w"] = {{3}, {1, 2}};
  EXPECT_TRUE(absl::StrContains(SaveCheckpoint(Path("bad"), checkpoint).message(),
                                "expected 12 bytes of data for F32 [3] \"w\", found 8"));
  checkpoint = {};
  checkpoint.metadata["crc32c"] = "1";
  EXPECT_TRUE(absl::StrContains(SaveCheckpoint(Path("bad"), checkpoint).message(), "found \"crc32c\" twice"));
  checkpoint = {};
  checkpoint.metadata["text"] = "\xff";
  EXPECT_TRUE(absl::StrContains(SaveCheckpoint(Path("bad"), checkpoint).message(), "expected UTF-8, found 0xff"));
}

}  // namespace
}  // namespace earshot
