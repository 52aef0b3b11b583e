#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace earshot {
namespace {

TEST(Crc32cTest, CheckValueOfTheCatalogue) {
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("a"), 0xc1d04330u);
}

// RFC 3720, appendix B.4.
TEST(Crc32cTest, VectorsOfTheRfc) {
  std::string up, down;
  for (int i = 0; i < 32; ++i) {
    up.push_back(static_cast<char>(i));
    down.push_back(static_cast<char>(31 - i));
  }
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(Crc32c(up), 0x46dd794eu);
  EXPECT_EQ(Crc32c(down), 0x113fdb5cu);
}

TEST(Crc32cTest, ExtendsInPieces) {
  std::string data;
  for (int i = 0; i < 61; ++i) data.push_back(static_cast<char>(i * 37));
  const uint32_t whole = Crc32c(data);
  for (size_t cut = 0; cut <= data.size(); ++cut) {
    EXPECT_EQ(Crc32c(data.substr(cut), Crc32c(data.substr(0, cut))), whole) << cut;
  }
}

TEST(Crc32cTest, SeesEveryBit) {
  const std::string data = "lstm.weight_ih_l0";
  for (size_t bit = 0; bit < data.size() * 8; ++bit) {
    std::string flipped = data;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(Crc32c(flipped), Crc32c(data)) << bit;
  }
}

}  // namespace
}  // namespace earshot
