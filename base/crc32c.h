// CRC-32C (Castagnoli), as in iSCSI, ext4 and TensorBoard records: Crc32c("123456789") = 0xe3069283.
#ifndef EARSHOT_BASE_CRC32C_H_
#define EARSHOT_BASE_CRC32C_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace earshot {

// The checksum of the bytes before (0 when there are none) extended by `data`.
uint32_t Crc32c(absl::string_view data, uint32_t before = 0);

}  // namespace earshot

#endif  // EARSHOT_BASE_CRC32C_H_
