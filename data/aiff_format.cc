#include "data/aiff_format.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/byte_order.h"

namespace earshot {
namespace {

// An 80-bit extended number: sign, 15 bits of exponent, 64 of mantissa with its leading one.
double ExtendedNumber(absl::string_view bytes) {
  const int exponent = static_cast<int>(BigEndian(bytes.substr(0, 2)));
  if (exponent & 0x8000) return -1;
  return std::ldexp(static_cast<double>(BigEndian(bytes.substr(2, 8))), exponent - 16383 - 63);
}

// What sox puts when it cannot seek back, a little over 0x7f000000, or all ones.
bool IsStreamedSize(uint64_t size) { return (size >= 0x7f000000 && size <= 0x80000000) || size >= 0xffff0000; }

struct Chunk {
  uint64_t begin = 0, size = 0;  // of its body; begin 0: not there
};

// AIFF-C's coding at `at`. The width is that of "COMM" where the coding has none of its own.
absl::Status SetCoding(absl::string_view content, uint64_t at, absl::string_view name, AudioFormat* format) {
  static constexpr struct {
    absl::string_view id;
    AudioFormat::Coding coding;
    int bytes;  // 0: as "COMM" says
    bool big_endian;
  } kCodings[] = {{"NONE", AudioFormat::kSigned, 0, true},  {"twos", AudioFormat::kSigned, 0, true},
                  {"sowt", AudioFormat::kSigned, 0, false}, {"raw ", AudioFormat::kUnsigned, 1, true},
                  {"in24", AudioFormat::kSigned, 3, true},  {"in32", AudioFormat::kSigned, 4, true},
                  {"42ni", AudioFormat::kSigned, 3, false}, {"23ni", AudioFormat::kSigned, 4, false},
                  {"fl32", AudioFormat::kFloat, 4, true},   {"FL32", AudioFormat::kFloat, 4, true},
                  {"fl64", AudioFormat::kFloat, 8, true},   {"FL64", AudioFormat::kFloat, 8, true},
                  {"alaw", AudioFormat::kALaw, 1, true},    {"ALAW", AudioFormat::kALaw, 1, true},
                  {"ulaw", AudioFormat::kMuLaw, 1, true},   {"ULAW", AudioFormat::kMuLaw, 1, true}};
  const absl::string_view id = content.substr(at, 4);
  for (const auto& known : kCodings) {
    if (id != known.id) continue;
    format->coding = known.coding;
    format->big_endian = known.big_endian;
    if (known.bytes != 0) {
      format->sample_bytes = known.bytes;
      format->valid_bits = 8 * known.bytes;
    }
    return absl::OkStatus();
  }
  return ByteError(name, at, "AIFF-C samples as integers, float, A-law or mu-law", absl::StrCat("coding ", Quoted(id)));
}

// "COMM": channels, frames, bits, sample rate, and in AIFF-C the coding.
absl::StatusOr<AudioFormat> ReadCommon(absl::string_view content, Chunk chunk, absl::string_view name) {
  const bool coded = content.substr(8, 4) == "AIFC";
  const uint64_t at = chunk.begin, least = coded ? 22 : 18;
  if (chunk.size < least) {
    return ByteError(name, at - 4, absl::StrCat("a \"COMM\" chunk of at least ", least, " bytes"),
                     absl::StrCat(chunk.size));
  }
  const int64_t channels = BigEndian(content.substr(at, 2)), bits = BigEndian(content.substr(at + 6, 2));
  const double rate = ExtendedNumber(content.substr(at + 8, 10));
  RETURN_IF_ERROR(CheckRateAndChannels(rate, at + 8, channels, at, name));
  if (bits < 1 || bits > 64) return ByteError(name, at + 6, "1 to 64 bits a sample", absl::StrCat(bits));
  AudioFormat format;
  format.sample_rate = static_cast<int>(std::lround(rate));
  format.channels = static_cast<int>(channels);
  format.frames = BigEndian(content.substr(at + 2, 4));
  format.big_endian = true;
  format.sample_bytes = static_cast<int>((bits + 7) / 8);
  format.valid_bits = static_cast<int>(bits);
  if (coded) RETURN_IF_ERROR(SetCoding(content, at + 18, name, &format));
  return format;
}

}  // namespace

absl::StatusOr<AudioFormat> ReadAiffFormat(absl::string_view content, int64_t file_bytes, absl::string_view name) {
  Chunk common, samples;
  uint64_t offset = 12;
  const uint64_t file_size = file_bytes;
  while ((common.begin == 0 || samples.begin == 0) && offset + 8 <= content.size()) {
    const absl::string_view id = content.substr(offset, 4);
    const Chunk chunk = {offset + 8, BigEndian(content.substr(offset + 4, 4))};
    const uint64_t present = file_size - chunk.begin;
    const bool streamed = id == "SSND" && IsStreamedSize(chunk.size);
    if (chunk.size > present && !streamed) {
      return ByteError(name, offset + 4, absl::StrCat("a ", Quoted(id), " chunk of at most ", present, " bytes"),
                       absl::StrCat(chunk.size, " bytes: the file is cut short"));
    }
    if (id == "SSND" && samples.begin == 0) samples = {chunk.begin, std::min(chunk.size, present)};
    if (id == "COMM" && common.begin == 0) {
      if (chunk.begin + chunk.size > content.size()) break;  // only the file's beginning is here
      common = chunk;
    }
    offset = chunk.begin + chunk.size + chunk.size % 2;
  }
  if (common.begin == 0 || samples.begin == 0) {
    return ByteError(name, std::min<uint64_t>(offset, content.size()),
                     common.begin == 0 ? "a \"COMM\" chunk" : "an \"SSND\" chunk", "the end of the file");
  }
  ASSIGN_OR_RETURN(AudioFormat format, ReadCommon(content, common, name));
  // The samples begin behind an offset and a block size of 4 bytes each.
  if (samples.size < 8 || samples.begin + 8 > content.size()) {
    return ByteError(name, samples.begin - 4, "an \"SSND\" chunk of at least 8 bytes", absl::StrCat(samples.size));
  }
  const uint64_t skip = 8 + BigEndian(content.substr(samples.begin, 4));
  const int64_t there = skip > samples.size ? 0 : (samples.size - skip) / format.frame_bytes();
  const bool streamed = IsStreamedSize(BigEndian(content.substr(samples.begin - 4, 4)));
  if (streamed || format.frames == 0) format.frames = there;
  if (format.frames > there) {
    return ByteError(name, common.begin + 2, absl::StrCat("at most ", there, " frames, which are there"),
                     absl::StrCat(format.frames, ": the file is cut short"));
  }
  format.begin = static_cast<int64_t>(samples.begin + skip);
  return format;
}

}  // namespace earshot
