#include "data/spoken_cache.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/crc32c.h"
#include "base/file.h"
#include "base/read_error.h"
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
  return ParseSpokenCache(content, path, key, espeak_version);
}

absl::StatusOr<SpokenCache> ParseSpokenCache(absl::string_view content, absl::string_view name, absl::string_view key,
                                             absl::string_view espeak_version) {
  const auto damaged = [name](int64_t byte, absl::string_view expected, absl::string_view found) {
    return absl::DataLossError(ByteError(name, byte, expected, found).message());
  };
  const auto other = [name](absl::string_view expected, absl::string_view found) {
    return absl::FailedPreconditionError(ByteError(name, kHeaderBytes, expected, found).message());
  };
  if (!absl::StartsWith(content, kMagic) || content.size() < kHeaderBytes) {
    return damaged(0, absl::StrCat(Quoted(kMagic), " and a checksum"), Quoted(content.substr(0, kHeaderBytes)));
  }
  const absl::string_view body = content.substr(kHeaderBytes);
  if (content.substr(8, 4) != LittleEndian32(Crc32c(body))) {
    return damaged(8, absl::StrCat("the CRC-32C of the rest, ", absl::Hex(Crc32c(body), absl::kZeroPad8)), "another");
  }
  SpokenCache cache;
  if (body.size() > kMaxBytes || !cache.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    return damaged(kHeaderBytes, "a SpokenCache message", "something else");
  }
  if (cache.key() != key) return other(Quoted(key), Quoted(cache.key()));
  if (!espeak_version.empty() && cache.espeak_version() != espeak_version) {
    return other(absl::StrCat("speech of ", Quoted(espeak_version)), Quoted(cache.espeak_version()));
  }
  if (cache.sample_rate() <= 0) return damaged(kHeaderBytes, "a sample rate", absl::StrCat(cache.sample_rate()));
  for (const auto* part : {&cache.train(), &cache.dev(), &cache.test()}) {
    for (const SpokenUtterance& utterance : *part) {
      if (utterance.pcm().size() % 2 == 0) continue;
      return damaged(kHeaderBytes, "16-bit samples", absl::StrCat(utterance.pcm().size(), " bytes"));
    }
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
