// Unsigned numbers of up to eight bytes as they stand in a file, whatever the machine's own order and alignment.
#ifndef EARSHOT_DATA_BYTE_ORDER_H_
#define EARSHOT_DATA_BYTE_ORDER_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace earshot {

inline uint64_t BigEndian(absl::string_view bytes) {
  uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

inline uint64_t LittleEndian(absl::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i > 0; --i) value = value << 8 | static_cast<uint8_t>(bytes[i - 1]);
  return value;
}

inline uint64_t ReadNumber(absl::string_view bytes, bool big_endian) {
  return big_endian ? BigEndian(bytes) : LittleEndian(bytes);
}

}  // namespace earshot

#endif  // EARSHOT_DATA_BYTE_ORDER_H_
