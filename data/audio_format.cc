#include "data/audio_format.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace earshot {
namespace {

// Sizes from here on are what writers put when they cannot seek back.
constexpr uint64_t kStreamedSize = 0x7fff0000;

uint64_t ReadNumber(absl::string_view bytes, bool big_endian) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    value = value << 8 | static_cast<uint8_t>(bytes[big_endian ? i : bytes.size() - 1 - i]);
  }
  return value;
}

absl::Status Error(absl::string_view a, absl::string_view b = "") {
  return absl::InvalidArgumentError(absl::StrCat(a, b));
}

// RIFF, RIFX, RF64 and FORM share one structure: chunks of a 4-byte name, a 4-byte size and a padded body.
absl::Status CheckChunks(absl::string_view content, bool big_endian, absl::string_view data_name) {
  uint64_t size64 = 0;  // of the data chunk, from RF64's "ds64"
  uint64_t offset = 12;
  while (offset + 8 <= content.size()) {
    const absl::string_view name = content.substr(offset, 4);
    uint64_t size = ReadNumber(content.substr(offset + 4, 4), big_endian);
    const uint64_t present = content.size() - offset - 8;
    if (name == "ds64" && size >= 16 && present >= 16) size64 = ReadNumber(content.substr(offset + 16, 8), big_endian);
    if (name == data_name) {
      if (size == 0xffffffff && size64 != 0)
        size = size64;
      else if (size >= kStreamedSize)
        return absl::OkStatus();
      if (size <= present) return absl::OkStatus();
      return Error(absl::StrCat("cut short: the \"", name, "\" chunk at byte ", offset, " should hold ", size,
                                " bytes, ", present, " are there"));
    }
    if (size > present) {
      return Error(absl::StrCat("the \"", absl::CHexEscape(name), "\" chunk at byte ", offset, " should hold ", size,
                                " bytes, ", present, " are there"));
    }
    offset += 8 + size + (size & 1);
  }
  return Error(absl::StrCat("no \"", data_name, "\" chunk: the file holds no samples"));
}

// A text header of 1024 (or a multiple) bytes with "name -type value" lines, then the samples.
absl::Status CheckSphere(absl::string_view content) {
  int64_t header_bytes = 0;
  if (content.size() < 16 || !absl::SimpleAtoi(content.substr(8, 7), &header_bytes) || header_bytes < 16 ||
      header_bytes > static_cast<int64_t>(content.size())) {
    return Error("NIST SPHERE header: no valid length in its second line");
  }
  int64_t samples = -1, channels = 1, bytes = 2;
  for (absl::string_view line : absl::StrSplit(content.substr(16, header_bytes - 16), '\n')) {
    const std::vector<absl::string_view> words = absl::StrSplit(line, absl::MaxSplits(' ', 2));
    if (words[0] == "end_head") break;
    if (words.size() < 3) continue;
    int64_t* field = words[0] == "sample_count"     ? &samples
                     : words[0] == "channel_count"  ? &channels
                     : words[0] == "sample_n_bytes" ? &bytes
                                                    : nullptr;
    if (field != nullptr && (!absl::SimpleAtoi(words[2], field) || *field < 0 || *field > int64_t{1} << 40)) {
      return Error(absl::StrCat("NIST SPHERE header: ", absl::CHexEscape(line), ": a count expected"));
    }
    if (words[0] == "sample_coding" &&
        (absl::StrContains(words[2], "shorten") || absl::StrContains(words[2], "wavpack"))) {
      return Error("NIST SPHERE with compressed samples (", absl::StrCat(absl::CHexEscape(words[2]), ") is not read"));
    }
  }
  if (channels > 256 || bytes > 8) return Error("NIST SPHERE header: unlikely channel_count or sample_n_bytes");
  const int64_t present = static_cast<int64_t>(content.size()) - header_bytes;
  if (samples > present / std::max<int64_t>(1, channels * bytes)) {
    return Error(absl::StrCat("cut short: the NIST SPHERE header promises ", samples, " samples of ", channels * bytes,
                              " bytes, ", present, " bytes are there"));
  }
  return absl::OkStatus();
}

// The name of a format that is not read, for the error.
std::string ForeignFormat(absl::string_view content) {
  static constexpr struct {
    absl::string_view magic, name;
  } kForeign[] = {{"OggS", "Ogg"},
                  {"ID3", "MP3"},
                  {"\xff\xfb", "MP3"},
                  {"\xff\xf3", "MP3"},
                  {"caff", "Apple CAF"},
                  {".snd", "Sun AU"},
                  {"riff", "Sony W64"},
                  {"RIFF", "RIFF without WAVE"},
                  {"FORM", "IFF without AIFF"},
                  {"\x1f\x8b", "gzip"},
                  {"PK\x03\x04", "zip"},
                  {"wvpk", "WavPack"}};
  for (const auto& foreign : kForeign) {
    if (absl::StartsWith(content, foreign.magic)) return absl::StrCat(foreign.name, " file");
  }
  if (content.size() >= 8 && content.substr(4, 4) == "ftyp") return "MP4 file";
  return absl::StrCat("file that begins with \"", absl::CHexEscape(content.substr(0, 12)), "\"");
}

}  // namespace

absl::Status CheckAudioFormat(absl::string_view content) {
  if (content.empty()) return Error("the file is empty; audio expected");
  const absl::string_view magic = content.substr(0, 4), kind = content.size() >= 12 ? content.substr(8, 4) : "";
  if (kind == "WAVE" && (magic == "RIFF" || magic == "RF64")) return CheckChunks(content, false, "data");
  if (kind == "WAVE" && magic == "RIFX") return CheckChunks(content, true, "data");
  if (magic == "FORM" && (kind == "AIFF" || kind == "AIFC")) return CheckChunks(content, true, "SSND");
  if (absl::StartsWith(content, "NIST_1A\n")) return CheckSphere(content);
  if (magic == "fLaC") return absl::OkStatus();  // its decoder counts the samples
  return Error(ForeignFormat(content), "; WAV, FLAC, AIFF or NIST SPHERE expected");
}

}  // namespace earshot
