// What readers accept at most: a file is refused, by name, before more is allocated. No reader ever allocates by a
// header's word alone; every count is compared with the bytes that are there.
#ifndef EARSHOT_DATA_LIMITS_H_
#define EARSHOT_DATA_LIMITS_H_

#include <cstdint>

namespace earshot {

constexpr int64_t kMaxListBytes = int64_t{4} << 30;  // a text file of a data directory, a manifest (unpacked)
constexpr int64_t kMaxLineBytes = int64_t{1} << 20;  // of such a file
constexpr int64_t kMaxAn4ListBytes = 64 << 20;       // one of AN4's four lists
constexpr int64_t kMaxIdBytes = 255;                 // of an utterance, speaker or recording
constexpr int64_t kMaxNpyHeaderBytes = 10000;        // numpy's own limit
constexpr int64_t kMaxMatrixDimension = 0x7fffffff;  // rows or columns, as the formats' own words
constexpr int64_t kMaxGzipExpansion = 1000;          // unpacked bytes a packed one

// Of one matrix of ready-made features: of its file, and of it with 8 bytes an element.
constexpr int64_t kMaxMatrixBytes = int64_t{4} << 30;
constexpr int64_t kMaxMatrixElements = kMaxMatrixBytes / 8;
constexpr int64_t kMaxFeatureDimensions = 1 << 20;             // of an utterance
constexpr int64_t kMaxCommandFeatureBytes = int64_t{1} << 30;  // of a matrix that a command writes

// In manifests.
constexpr double kMaxManifestSeconds = 1e9;  // of any time; 31 years
constexpr int64_t kMaxManifestChannel = 255;
constexpr int64_t kMaxLhotseSources = 256;  // files of a recording

}  // namespace earshot

#endif  // EARSHOT_DATA_LIMITS_H_
