#include "data/wav_format.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/byte_order.h"

namespace earshot {
namespace {

constexpr int kPcm = 1, kFloat = 3, kALaw = 6, kMuLaw = 7, kExtensible = 0xfffe;

// What writers put as a size when they cannot seek back: all ones, sometimes less a header; about 2 GiB.
bool IsStreamedSize(uint64_t size) {
  return (size >= 0x7fff0000 && size <= 0x80000000) || (size >= 0xffff0000 && size <= 0xffffffff);
}

std::string CodingName(uint64_t tag) {
  static constexpr struct {
    int tag;
    absl::string_view name;
  } kNames[] = {{0x02, "MS ADPCM"},    {0x10, "OKI ADPCM"},  {0x11, "IMA ADPCM"},   {0x14, "G.723 ADPCM"},
                {0x22, "TrueSpeech"},  {0x31, "GSM 6.10"},   {0x40, "G.721 ADPCM"}, {0x42, "G.723.1"},
                {0x45, "G.726 ADPCM"}, {0x50, "MPEG audio"}, {0x55, "MP3"},         {0x64, "G.726 ADPCM"},
                {0x65, "G.722 ADPCM"}, {0xff, "AAC"},        {0x161, "WMA"},        {0x2000, "AC-3"},
                {0x674f, "Vorbis"},    {0xf1ac, "FLAC"}};
  for (const auto& known : kNames) {
    if (tag == static_cast<uint64_t>(known.tag)) return absl::StrFormat("%s (format 0x%04x)", known.name, tag);
  }
  return absl::StrFormat("format 0x%04x", tag);
}

class WavReader {
 public:
  WavReader(absl::string_view content, int64_t file_bytes, absl::string_view name)
      : content_(content), file_bytes_(file_bytes), name_(name) {
    format_.big_endian = content.substr(0, 4) == "RIFX";
    is_64_ = content.substr(0, 4) == "RF64" || content.substr(0, 4) == "BW64";
  }

  absl::StatusOr<AudioFormat> Read();

 private:
  uint64_t Number(uint64_t at, int bytes) const { return ReadNumber(content_.substr(at, bytes), format_.big_endian); }
  absl::Status Error(uint64_t byte, absl::string_view expected, absl::string_view found) const {
    return ByteError(name_, byte, expected, found);
  }
  absl::Status ReadFmt(uint64_t begin, uint64_t size);
  absl::StatusOr<int> SubFormat(uint64_t begin, uint64_t size) const;
  absl::Status SetCoding(int tag, uint64_t begin);
  absl::Status SetWidth(uint64_t bits, uint64_t block_align, bool extensible, uint64_t begin);
  absl::Status SetFrames(uint64_t begin, uint64_t size);
  bool EmptyMeansStreamed(uint64_t end) const;

  const absl::string_view content_;
  const uint64_t file_bytes_;
  const absl::string_view name_;
  bool is_64_ = false;
  uint64_t data_bytes_64_ = 0;  // from "ds64"
  bool has_fmt_ = false;
  AudioFormat format_;
};

absl::StatusOr<AudioFormat> WavReader::Read() {
  uint64_t offset = 12;
  while (offset + 8 <= content_.size()) {
    const absl::string_view id = content_.substr(offset, 4);
    const uint64_t size = Number(offset + 4, 4), begin = offset + 8;
    if (id == "data") {
      if (!has_fmt_) return Error(offset, "a \"fmt \" chunk before the \"data\" chunk", "none");
      // What a size of 0 means depends on the next 8 bytes, and only the file's beginning is here.
      if (size == 0 && content_.size() < std::min(file_bytes_, begin + 8)) break;
      RETURN_IF_ERROR(SetFrames(begin, size));
      return format_;
    }
    if (size > file_bytes_ - begin) {
      return Error(offset + 4, absl::StrCat("a ", Quoted(id), " chunk of at most ", file_bytes_ - begin, " bytes"),
                   absl::StrCat(size, " bytes"));
    }
    if (begin + size > content_.size()) break;  // only the file's beginning is here
    if (id == "fmt " && !has_fmt_) RETURN_IF_ERROR(ReadFmt(begin, size));
    if (id == "ds64" && is_64_ && size >= 16) data_bytes_64_ = Number(begin + 8, 8);
    offset = begin + size;
    // Padding is a zero byte, and no chunk's name begins with one: some writers forget it.
    if (size % 2 == 1 && offset < content_.size() && content_[offset] == '\0') ++offset;
  }
  return Error(std::min<uint64_t>(offset, content_.size()), has_fmt_ ? "a \"data\" chunk" : "a \"fmt \" chunk",
               offset < content_.size() ? "an incomplete chunk" : "the end of the file");
}

absl::Status WavReader::ReadFmt(uint64_t begin, uint64_t size) {
  if (size < 16) return Error(begin - 4, "a \"fmt \" chunk of at least 16 bytes", absl::StrCat(size));
  has_fmt_ = true;
  int tag = static_cast<int>(Number(begin, 2));
  const uint64_t channels = Number(begin + 2, 2), rate = Number(begin + 4, 4), block_align = Number(begin + 12, 2);
  const uint64_t bits = Number(begin + 14, 2);
  const bool extensible = tag == kExtensible;
  if (extensible) {
    ASSIGN_OR_RETURN(tag, SubFormat(begin, size));
  }
  RETURN_IF_ERROR(SetCoding(tag, begin));
  RETURN_IF_ERROR(CheckRateAndChannels(static_cast<double>(rate), begin + 4, channels, begin + 2, name_));
  format_.channels = static_cast<int>(channels);
  format_.sample_rate = static_cast<int>(rate);
  return SetWidth(bits, block_align, extensible, begin);
}

// The coding in the first two bytes of WAVE_FORMAT_EXTENSIBLE's GUID, when the rest is that of all such codings.
absl::StatusOr<int> WavReader::SubFormat(uint64_t begin, uint64_t size) const {
  if (size < 40 || Number(begin + 16, 2) < 22) {
    return Error(begin - 4, "a \"fmt \" chunk of 40 bytes for WAVE_FORMAT_EXTENSIBLE, with 22 in its extension",
                 absl::StrCat(size, " bytes"));
  }
  const absl::string_view guid = content_.substr(begin + 24, 16);
  const absl::string_view tail("\x80\x00\x00\xaa\x00\x38\x9b\x71", 8);
  if (Number(begin + 24, 4) > 0xffff || Number(begin + 28, 2) != 0 || Number(begin + 30, 2) != 0x10 ||
      guid.substr(8) != tail) {
    return Error(begin + 24, "the GUID of PCM, float, A-law or mu-law", Quoted(guid));
  }
  return static_cast<int>(Number(begin + 24, 2));
}

// How many bytes a sample takes. `begin` is where the chunk's body begins.
absl::Status WavReader::SetWidth(uint64_t bits, uint64_t block_align, bool extensible, uint64_t begin) {
  const bool is_float = format_.coding == AudioFormat::kFloat, is_pcm = format_.coding == AudioFormat::kSigned;
  if (is_pcm && (bits < 1 || bits > 64)) return Error(begin + 14, "1 to 64 bits a sample", absl::StrCat(bits));
  if (is_float && bits != 32 && bits != 64) {
    return Error(begin + 14, "float samples of 32 or 64 bits", absl::StrCat(bits));
  }
  if (!is_float && !is_pcm && bits != 8) {
    return Error(begin + 14, "A-law or mu-law samples of 8 bits", absl::StrCat(bits));
  }
  uint64_t bytes = (bits + 7) / 8;
  if (!extensible && bits == 24 && block_align == 4 * static_cast<uint64_t>(format_.channels)) bytes = 4;
  if (block_align != bytes * format_.channels) {
    return Error(
        begin + 12,
        absl::StrCat(bytes * format_.channels, " bytes a frame (", format_.channels, " times ", bits, " bits)"),
        absl::StrCat(block_align));
  }
  if (is_pcm && bytes == 1) format_.coding = AudioFormat::kUnsigned;
  format_.sample_bytes = static_cast<int>(bytes);
  format_.valid_bits = static_cast<int>(bits);
  const uint64_t valid = extensible ? Number(begin + 18, 2) : 0;
  if (valid > bits) return Error(begin + 18, absl::StrCat("at most ", bits, " valid bits"), absl::StrCat(valid));
  if (valid > 0) format_.valid_bits = static_cast<int>(valid);
  return absl::OkStatus();
}

absl::Status WavReader::SetCoding(int tag, uint64_t begin) {
  switch (tag) {
    case kPcm:
      return absl::OkStatus();
    case kFloat:
      format_.coding = AudioFormat::kFloat;
      return absl::OkStatus();
    case kALaw:
    case kMuLaw:
      format_.coding = tag == kALaw ? AudioFormat::kALaw : AudioFormat::kMuLaw;
      return absl::OkStatus();
    default:
      return Error(begin, "PCM, float, A-law or mu-law", CodingName(tag));
  }
}

// Whether a data chunk of size 0 that ends at `end` is one whose size was never written: bytes follow, and not as
// chunks that the RIFF size covers.
bool WavReader::EmptyMeansStreamed(uint64_t end) const {
  if (file_bytes_ == end) return false;
  const uint64_t riff_size = Number(4, 4);
  if (IsStreamedSize(riff_size) || riff_size < end || file_bytes_ < end + 8) return true;
  for (const char c : content_.substr(end, 4)) {
    if (c < 0x20 || c > 0x7e) return true;
  }
  return Number(end + 4, 4) > file_bytes_ - end - 8;
}

absl::Status WavReader::SetFrames(uint64_t begin, uint64_t size) {
  const uint64_t present = file_bytes_ - begin, frame = format_.frame_bytes();
  bool streamed = size == 0 ? EmptyMeansStreamed(begin) : size > present && IsStreamedSize(size);
  if (is_64_ && size == 0xffffffff && data_bytes_64_ != 0 && data_bytes_64_ != ~uint64_t{0}) {
    size = data_bytes_64_;
    streamed = false;
  }
  format_.begin = static_cast<int64_t>(begin);
  format_.frames = static_cast<int64_t>((streamed ? present : size) / frame);
  if (streamed) return absl::OkStatus();
  if (size > present) {
    return Error(begin - 4, absl::StrCat("a \"data\" chunk of at most ", present, " bytes, which are there"),
                 absl::StrCat(size, " bytes: the file is cut short"));
  }
  if (size % frame != 0) {
    return Error(begin - 4, absl::StrCat("a \"data\" chunk of whole frames of ", frame, " bytes"),
                 absl::StrCat(size, " bytes"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<AudioFormat> ReadWavFormat(absl::string_view content, int64_t file_bytes, absl::string_view name) {
  return WavReader(content, file_bytes, name).Read();
}

}  // namespace earshot
