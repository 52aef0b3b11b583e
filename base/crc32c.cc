#include "base/crc32c.h"

#include <array>

namespace earshot {
namespace {

// Slicing by 8: table[k][b] is the effect of byte b followed by k zero bytes.
std::array<std::array<uint32_t, 256>, 8> MakeTables() {
  std::array<std::array<uint32_t, 256>, 8> table;
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? 0x82F63B78u : 0u);
    table[0][b] = crc;
  }
  for (int k = 1; k < 8; ++k) {
    for (uint32_t b = 0; b < 256; ++b) table[k][b] = (table[k - 1][b] >> 8) ^ table[0][table[k - 1][b] & 0xFF];
  }
  return table;
}

}  // namespace

uint32_t Crc32c(absl::string_view data, uint32_t before) {
  static const auto& table = *new std::array<std::array<uint32_t, 256>, 8>(MakeTables());
  uint32_t crc = ~before;
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(data[i]); };
  size_t i = 0;
  for (; i + 8 <= data.size(); i += 8) {
    crc ^= byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | static_cast<uint32_t>(byte(i + 3)) << 24;
    crc = table[7][crc & 0xFF] ^ table[6][crc >> 8 & 0xFF] ^ table[5][crc >> 16 & 0xFF] ^ table[4][crc >> 24] ^
          table[3][byte(i + 4)] ^ table[2][byte(i + 5)] ^ table[1][byte(i + 6)] ^ table[0][byte(i + 7)];
  }
  for (; i < data.size(); ++i) crc = (crc >> 8) ^ table[0][(crc ^ byte(i)) & 0xFF];
  return ~crc;
}

}  // namespace earshot
