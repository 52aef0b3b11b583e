// The file in which a spoken corpus is kept: "EARSHOT1", the CRC-32C of the rest (4 bytes, little-endian), a serialised
// SpokenCache.
#ifndef EARSHOT_DATA_SPOKEN_CACHE_H_
#define EARSHOT_DATA_SPOKEN_CACHE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "data/spoken_cache.pb.h"

namespace earshot {

// NotFound when there is no such file; DataLoss or FailedPrecondition, with the path, when it is damaged or holds
// something else than `key` by `espeak_version` (empty: any version).
absl::StatusOr<SpokenCache> ReadSpokenCache(const std::string& path, absl::string_view key,
                                            absl::string_view espeak_version);

// The same from a file's bytes: "NAME: byte N: expected X, found Y".
absl::StatusOr<SpokenCache> ParseSpokenCache(absl::string_view content, absl::string_view name, absl::string_view key,
                                             absl::string_view espeak_version);

// Makes the folder and replaces the file as a whole.
absl::Status WriteSpokenCache(const std::string& folder, const std::string& path, const SpokenCache& cache);

// Samples rounded to 16 bits, little-endian; larger ones become the largest.
std::string EncodePcm(absl::Span<const float> waveform);
std::vector<float> DecodePcm(absl::string_view pcm);

}  // namespace earshot

#endif  // EARSHOT_DATA_SPOKEN_CACHE_H_
