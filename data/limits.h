// What readers accept at most: a file is refused, by name, before more is allocated. No reader ever allocates by a
// header's word alone; every count is compared with the bytes that are there.
#ifndef EARSHOT_DATA_LIMITS_H_
#define EARSHOT_DATA_LIMITS_H_

#include <cstdint>

namespace earshot {

constexpr int64_t kMaxListBytes = int64_t{4} << 30;  // a text file of a data directory, a manifest (unpacked)
constexpr int64_t kMaxLineBytes = int64_t{1} << 20;  // of such a file
constexpr int64_t kMaxIdBytes = 255;                 // of an utterance, speaker or recording
constexpr int64_t kMaxNpyHeaderBytes = 10000;        // numpy's own limit
constexpr int64_t kMaxMatrixDimension = 0x7fffffff;  // rows or columns, as the formats' own words
constexpr int64_t kMaxGzipExpansion = 1000;          // unpacked bytes a packed one

// Of one matrix of ready-made features: of its file, and of it with 8 bytes an element.
constexpr int64_t kMaxMatrixBytes = int64_t{4} << 30;
constexpr int64_t kMaxMatrixElements = kMaxMatrixBytes / 8;

}  // namespace earshot

#endif  // EARSHOT_DATA_LIMITS_H_
