#include "data/pcm.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/read_error.h"
#include "data/byte_order.h"

namespace earshot {
namespace {

constexpr double kFullScale = 32768;

// ITU-T G.711: sign, three bits of exponent, four of mantissa; even bits inverted in A-law, all in mu-law.
double ExpandALaw(uint8_t code) {
  code ^= 0x55;
  const int exponent = code >> 4 & 7, mantissa = code & 15;
  const int magnitude = exponent == 0 ? mantissa * 16 + 8 : (mantissa * 16 + 264) << (exponent - 1);
  return code & 0x80 ? magnitude : -magnitude;
}

double ExpandMuLaw(uint8_t code) {
  code = ~code;
  const int exponent = code >> 4 & 7, mantissa = code & 15;
  const int magnitude = ((mantissa * 8 + 132) << exponent) - 132;
  return code & 0x80 ? -magnitude : magnitude;
}

double LoadFloat(absl::string_view bytes, bool big_endian) {
  const uint64_t bits = ReadNumber(bytes, big_endian);
  if (bytes.size() == 4) {
    const uint32_t bits32 = static_cast<uint32_t>(bits);
    float value;
    std::memcpy(&value, &bits32, sizeof(value));
    return value;
  }
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// By how much an integer sample must be shifted up so that its highest valid bit is that of 64 bits.
int IntegerShift(absl::string_view samples, const AudioFormat& format) {
  const int bits = 8 * format.sample_bytes, unused = bits - format.valid_bits;
  const int upper_end = 64 - bits, lower_end = 64 - format.valid_bits;
  if (unused == 0 || format.coding == AudioFormat::kUnsigned) return upper_end;
  bool zeros_below = true, fit = true;
  for (size_t at = 0; at < samples.size(); at += format.sample_bytes) {
    const uint64_t sample = ReadNumber(samples.substr(at, format.sample_bytes), format.big_endian) << upper_end;
    zeros_below &= sample << (format.valid_bits) == 0;
    const uint64_t above = sample >> (64 - unused);  // 0 or all ones when only the sign is above
    fit &= above == 0 || above == ~uint64_t{0} >> (64 - unused);
  }
  return !zeros_below && fit ? lower_end : upper_end;
}

// Calls load(bytes of one sample) for what makes a frame's value. Returns the first frame that is not finite, or -1.
template <typename Load>
int64_t Mix(absl::string_view samples, const AudioFormat& format, int channel, Load load,
            std::vector<float>* waveform) {
  const int first = channel < 0 ? 0 : channel, last = channel < 0 ? format.channels - 1 : channel;
  for (int64_t frame = 0; frame < format.frames; ++frame) {
    double sum = 0;
    for (int c = first; c <= last; ++c) {
      sum += load(samples.substr(frame * format.frame_bytes() + c * format.sample_bytes, format.sample_bytes));
    }
    const float value = static_cast<float>(sum / (last - first + 1));
    if (!std::isfinite(value)) return frame;
    waveform->push_back(value);
  }
  return -1;
}

int64_t MixIntegers(absl::string_view samples, const AudioFormat& format, int channel, std::vector<float>* waveform) {
  const int shift = IntegerShift(samples, format);
  const bool big_endian = format.big_endian;
  const uint64_t flip = format.coding == AudioFormat::kUnsigned ? uint64_t{1} << 63 : 0;
  const double scale = kFullScale / 9223372036854775808.0;  // 2^63
  return Mix(
      samples, format, channel,
      [=](absl::string_view bytes) {
        return scale * static_cast<double>(static_cast<int64_t>(ReadNumber(bytes, big_endian) << shift ^ flip));
      },
      waveform);
}

}  // namespace

absl::Status DecodePcm(absl::string_view content, const AudioFormat& format, int channel, absl::string_view name,
                       std::vector<float>* waveform) {
  CHECK(channel < format.channels) << channel;
  if (format.frames == 0) return absl::OkStatus();
  const uint64_t bytes = format.frames * format.frame_bytes();
  CHECK(format.frames > 0 && static_cast<uint64_t>(format.begin) + bytes <= content.size());
  const absl::string_view samples = content.substr(format.begin, bytes);
  waveform->reserve(waveform->size() + format.frames);
  int64_t bad = -1;
  switch (format.coding) {
    case AudioFormat::kSigned:
    case AudioFormat::kUnsigned:
      bad = MixIntegers(samples, format, channel, waveform);
      break;
    case AudioFormat::kFloat: {
      const bool big_endian = format.big_endian;
      const auto load = [=](absl::string_view sample) { return kFullScale * LoadFloat(sample, big_endian); };
      bad = Mix(samples, format, channel, load, waveform);
      break;
    }
    case AudioFormat::kALaw:
    case AudioFormat::kMuLaw: {
      const auto expand = format.coding == AudioFormat::kALaw ? ExpandALaw : ExpandMuLaw;
      const auto load = [=](absl::string_view sample) { return expand(static_cast<uint8_t>(sample[0])); };
      bad = Mix(samples, format, channel, load, waveform);
      break;
    }
    case AudioFormat::kFlac:
      CHECK(false) << "FLAC is not PCM";
  }
  if (bad < 0) return absl::OkStatus();
  return ByteError(name, format.begin + bad * format.frame_bytes(), "a finite sample",
                   absl::StrCat("NaN, infinity or overflow in sample ", bad));
}

}  // namespace earshot
