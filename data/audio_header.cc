#include "data/audio_header.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/aiff_format.h"
#include "data/byte_order.h"
#include "data/sphere_format.h"
#include "data/wav_format.h"

namespace earshot {
namespace {

// "fLaC", then the STREAMINFO block: a header of 4 bytes, block and frame sizes, and from byte 18 on 20 bits of sample
// rate, 3 of channels - 1, 5 of bits - 1, 36 of the number of samples, 0 when it is unknown (RFC 9639, section 8.2).
absl::StatusOr<AudioFormat> ReadFlacFormat(absl::string_view content, absl::string_view name) {
  constexpr size_t kStreamInfoEnd = 42;
  if (content.size() < kStreamInfoEnd) {
    return ByteError(name, content.size(), "a FLAC STREAMINFO block up to byte 42", "the end of the file");
  }
  const uint64_t block = BigEndian(content.substr(4, 4));
  if ((block & 0x7fffffff) != 34) {  // type 0, 34 bytes; the highest bit: no other block follows
    return ByteError(name, 4, "a FLAC STREAMINFO block of 34 bytes",
                     absl::StrCat("block type ", block >> 24 & 0x7f, " of ", block & 0xffffff, " bytes"));
  }
  const uint64_t packed = BigEndian(content.substr(18, 8));
  AudioFormat format;
  format.coding = AudioFormat::kFlac;
  format.sample_rate = static_cast<int>(packed >> 44);
  format.channels = static_cast<int>(packed >> 41 & 7) + 1;
  format.valid_bits = static_cast<int>(packed >> 36 & 31) + 1;
  const int64_t frames = packed & 0xfffffffff;
  format.frames = frames == 0 ? -1 : frames;
  RETURN_IF_ERROR(CheckRateAndChannels(format.sample_rate, 18, format.channels, 20, name));
  if (format.valid_bits != 8 && format.valid_bits != 16 && format.valid_bits != 24) {
    return ByteError(name, 20, "FLAC samples of 8, 16 or 24 bits", absl::StrCat(format.valid_bits, " bits"));
  }
  return format;
}

// The name of a format that is not read, for the error.
std::string ForeignFormat(absl::string_view content) {
  static constexpr struct {
    absl::string_view magic, name;
  } kForeign[] = {{"OggS", "an Ogg file"},
                  {"ID3", "an ID3 tag, as of MP3 files"},
                  {"\xff\xfb", "an MP3 file"},
                  {"\xff\xf3", "an MP3 file"},
                  {"\xff\xf2", "an MP3 file"},
                  {"\xff\xf1", "an AAC file"},
                  {"caff", "an Apple CAF file"},
                  {".snd", "a Sun AU file"},
                  {"riff", "a Sony W64 file"},
                  {"RIFF", "a RIFF file without WAVE"},
                  {"FORM", "an IFF file without AIFF"},
                  {"#!AMR", "an AMR file"},
                  {"Creative Voice File", "a Creative VOC file"},
                  {"ajkg", "a Shorten file"},
                  {"\x1a\x45\xdf\xa3", "a Matroska or WebM file"},
                  {"\x1f\x8b", "a gzip file"},
                  {"PK\x03\x04", "a zip file"},
                  {"wvpk", "a WavPack file"}};
  if (content.empty()) return "an empty file";
  for (const auto& foreign : kForeign) {
    if (absl::StartsWith(content, foreign.magic)) return std::string(foreign.name);
  }
  if (content.size() >= 8 && content.substr(4, 4) == "ftyp") return "an MP4 file";
  return absl::StrCat("a file that begins with ", Quoted(content.substr(0, 12)));
}

}  // namespace

absl::StatusOr<AudioFormat> ReadAudioHeader(absl::string_view content, int64_t file_bytes, absl::string_view name) {
  const absl::string_view magic = content.substr(0, 4), kind = content.size() >= 12 ? content.substr(8, 4) : "";
  if (kind == "WAVE" && (magic == "RIFF" || magic == "RIFX" || magic == "RF64" || magic == "BW64")) {
    return ReadWavFormat(content, file_bytes, name);
  }
  if (magic == "FORM" && (kind == "AIFF" || kind == "AIFC")) return ReadAiffFormat(content, file_bytes, name);
  if (absl::StartsWith(content, "NIST_1A\n")) return ReadSphereFormat(content, file_bytes, name);
  if (magic == "fLaC") return ReadFlacFormat(content, name);
  return ByteError(name, 0, "a WAV, FLAC, AIFF or NIST SPHERE file", ForeignFormat(content));
}

absl::Status CheckAudioHeader(absl::string_view content, absl::string_view name) {
  return ReadAudioHeader(content, content.size(), name).status();
}

}  // namespace earshot
