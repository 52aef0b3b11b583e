#include "data/spoken_cache.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/crc32c.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

constexpr absl::string_view kMagic = "EARSHOT1";
constexpr size_t kHeaderBytes = 12;
constexpr size_t kMaxBytes = size_t{1} << 30;

std::string LittleEndian32(uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
  return bytes;
}

}  // namespace

absl::StatusOr<SpokenCache> ReadSpokenCache(const std::string& path, absl::string_view key,
                                            absl::string_view espeak_version) {
  ASSIGN_OR_RETURN(const std::string content, ReadFile(path, kMaxBytes));
  if (content.size() < kHeaderBytes || content.compare(0, kMagic.size(), kMagic.data(), kMagic.size()) != 0) {
    return absl::DataLossError(absl::StrCat(path, ": is not a spoken corpus"));
  }
  const absl::string_view body = absl::string_view(content).substr(kHeaderBytes);
  if (content.substr(8, 4) != LittleEndian32(Crc32c(body))) {
    return absl::DataLossError(absl::StrCat(path, ": is damaged (checksum)"));
  }
  SpokenCache cache;
  if (!cache.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    return absl::DataLossError(absl::StrCat(path, ": is damaged (content)"));
  }
  if (cache.key() != key) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": holds \"", cache.key(), "\", not \"", key, "\""));
  }
  if (!espeak_version.empty() && cache.espeak_version() != espeak_version) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": was spoken by \"", cache.espeak_version(), "\", not \"", espeak_version, "\""));
  }
  return cache;
}

absl::Status WriteSpokenCache(const std::string& folder, const std::string& path, const SpokenCache& cache) {
  RETURN_IF_ERROR(MakeDirectories(folder));
  RETURN_IF_ERROR(RemoveStaleTemporaryFiles(folder));
  const size_t bytes = cache.ByteSizeLong() + kHeaderBytes;  // asked first: beyond 2 GiB there is no serialised form
  if (bytes > kMaxBytes) {
    return absl::ResourceExhaustedError(absl::StrCat(path, ": ", bytes, " bytes, expected at most ", kMaxBytes));
  }
  const std::string body = cache.SerializeAsString();
  const std::string crc = LittleEndian32(Crc32c(body));
  return WriteFileAtomically(path, {kMagic, crc, body});
}

std::string EncodePcm(absl::Span<const float> waveform) {
  std::string pcm(waveform.size() * 2, '\0');
  for (size_t n = 0; n < waveform.size(); ++n) {
    const long sample = std::lround(std::min(32767.0f, std::max(-32768.0f, waveform[n])));
    pcm[2 * n] = static_cast<char>(sample & 0xff);
    pcm[2 * n + 1] = static_cast<char>((sample >> 8) & 0xff);
  }
  return pcm;
}

std::vector<float> DecodePcm(absl::string_view pcm) {
  std::vector<float> waveform(pcm.size() / 2);
  for (size_t n = 0; n < waveform.size(); ++n) {
    const int low = static_cast<unsigned char>(pcm[2 * n]), high = static_cast<unsigned char>(pcm[2 * n + 1]);
    waveform[n] = static_cast<int16_t>(low | high << 8);
  }
  return waveform;
}

}  // namespace earshot
