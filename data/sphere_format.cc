#include "data/sphere_format.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/read_error.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

// A line "name -type value" of the header, and where the line stands.
struct Field {
  int64_t byte = -1;  // -1: not in the header
  absl::string_view value;
};

struct Header {
  int64_t bytes = 0;  // the samples begin there
  Field samples, channels, rate, width, order, coding, interleaved;
};

Field* FindField(absl::string_view name, Header* header) {
  const std::pair<absl::string_view, Field*> fields[] = {{"sample_count", &header->samples},
                                                         {"channel_count", &header->channels},
                                                         {"sample_rate", &header->rate},
                                                         {"sample_n_bytes", &header->width},
                                                         {"sample_byte_format", &header->order},
                                                         {"sample_coding", &header->coding},
                                                         {"channels_interleaved", &header->interleaved}};
  for (const auto& [known, field] : fields) {
    if (name == known) return field;
  }
  return nullptr;
}

absl::StatusOr<Header> ReadHeader(absl::string_view content, absl::string_view name) {
  Header header;
  const absl::string_view length = content.substr(8, 8);
  if (length.size() < 8 || length[7] != '\n' || !absl::SimpleAtoi(length, &header.bytes) || header.bytes < 16 ||
      header.bytes > static_cast<int64_t>(content.size())) {
    return ByteError(name, 8, absl::StrCat("the header's length in 7 digits, at most ", content.size()),
                     Quoted(absl::StripAsciiWhitespace(length)));
  }
  absl::string_view rest = content.substr(0, header.bytes);
  int64_t at = 16;
  while (at < header.bytes) {
    const absl::string_view line = rest.substr(at, rest.find('\n', at) - at);
    const size_t first = line.find(' '), second = first == line.npos ? first : line.find(' ', first + 1);
    if (absl::StripAsciiWhitespace(line) == "end_head") return header;
    if (second != line.npos) {
      Field* const field = FindField(line.substr(0, first), &header);
      if (field != nullptr) *field = {at, absl::StripAsciiWhitespace(line.substr(second + 1))};
    }
    at += static_cast<int64_t>(line.size()) + 1;
  }
  return ByteError(name, header.bytes, "a line \"end_head\" before here", "none");
}

// A whole number of `low` to `high`; `missing` when the header does not have the field.
absl::StatusOr<int64_t> Number(const Field& field, absl::string_view what, int64_t missing, int64_t low, int64_t high,
                               absl::string_view name) {
  if (field.byte < 0) return missing;
  int64_t value = 0;
  if (absl::SimpleAtoi(field.value, &value) && value >= low && value <= high) return value;
  return ByteError(name, field.byte, absl::StrCat(what, " of ", low, " to ", high), Quoted(field.value));
}

absl::Status SetCoding(const Header& header, absl::string_view name, AudioFormat* format) {
  const absl::string_view coding = header.coding.byte < 0 ? "pcm" : header.coding.value;
  const absl::string_view order = header.order.byte < 0 ? "" : header.order.value;
  if (coding == "ulaw" || coding == "mu-law" || (coding == "pcm" && order == "mu-law")) {
    format->coding = AudioFormat::kMuLaw;
  } else if (coding == "alaw") {
    format->coding = AudioFormat::kALaw;
  } else if (coding != "pcm") {
    const bool packed = absl::StrContains(coding, "shorten") || absl::StrContains(coding, "wavpack");
    return ByteError(
        name, header.coding.byte, "sample_coding pcm, ulaw or alaw",
        absl::StrCat(Quoted(coding), packed ? ", which is compressed (sph2pipe or w_decode unpack it)" : ""));
  }
  if (format->coding != AudioFormat::kSigned && format->sample_bytes != 1) {
    return ByteError(name, header.width.byte < 0 ? header.bytes : header.width.byte,
                     "sample_n_bytes 1 for ulaw and alaw", absl::StrCat(format->sample_bytes));
  }
  if (format->sample_bytes == 1) return absl::OkStatus();
  // The place of the least significant byte comes first: "01" and "0123" are little-endian.
  if (order != "01" && order != "10" && order != "012" && order != "210" && order != "0123" && order != "3210") {
    return ByteError(name, header.order.byte < 0 ? header.bytes : header.order.byte, "sample_byte_format 01 or 10",
                     header.order.byte < 0 ? "none" : Quoted(order));
  }
  format->big_endian = order[0] != '0';
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<AudioFormat> ReadSphereFormat(absl::string_view content, int64_t file_bytes, absl::string_view name) {
  ASSIGN_OR_RETURN(const Header header, ReadHeader(content, name));
  constexpr int64_t kMost = int64_t{1} << 40;
  ASSIGN_OR_RETURN(const int64_t channels, Number(header.channels, "channel_count", 1, 0, kMost, name));
  double rate = 0;  // a whole number as a rule, also written as "8000.000000"
  if (header.rate.byte < 0) return ByteError(name, header.bytes, "a line \"sample_rate\" before here", "none");
  if (!absl::SimpleAtod(header.rate.value, &rate)) {
    return ByteError(name, header.rate.byte, "sample_rate as a number", Quoted(header.rate.value));
  }
  RETURN_IF_ERROR(
      CheckRateAndChannels(rate, header.rate.byte, channels, std::max<int64_t>(header.channels.byte, 0), name));
  ASSIGN_OR_RETURN(const int64_t width, Number(header.width, "sample_n_bytes", 2, 1, 4, name));
  AudioFormat format;
  format.sample_rate = static_cast<int>(std::lround(rate));
  format.channels = static_cast<int>(channels);
  format.sample_bytes = static_cast<int>(width);
  format.valid_bits = 8 * format.sample_bytes;
  RETURN_IF_ERROR(SetCoding(header, name, &format));
  if (channels > 1 && absl::EqualsIgnoreCase(header.interleaved.value, "FALSE")) {
    return ByteError(name, header.interleaved.byte, "interleaved channels", "channels_interleaved FALSE");
  }
  format.begin = header.bytes;
  const int64_t there = (file_bytes - header.bytes) / format.frame_bytes();
  ASSIGN_OR_RETURN(format.frames, Number(header.samples, "sample_count", there, 0, kMost, name));
  if (format.frames == 0) format.frames = there;
  if (format.frames > there) {
    return ByteError(name, header.samples.byte, absl::StrCat("a sample_count of at most ", there, ", which are there"),
                     absl::StrCat(format.frames, ": the file is cut short"));
  }
  return format;
}

}  // namespace earshot
