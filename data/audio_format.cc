#include "data/audio_format.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/read_error.h"

namespace earshot {

absl::Status CheckRateAndChannels(double sample_rate, int64_t rate_byte, int64_t channels, int64_t channels_byte,
                                  absl::string_view name) {
  if (!(sample_rate >= kMinSampleRate && sample_rate <= kMaxSampleRate)) {
    return ByteError(name, rate_byte, absl::StrCat("a sample rate of ", kMinSampleRate, " to ", kMaxSampleRate, " Hz"),
                     absl::StrFormat("%.10g Hz", sample_rate));
  }
  if (channels < 1 || channels > kMaxAudioChannels) {
    return ByteError(name, channels_byte, absl::StrCat("1 to ", kMaxAudioChannels, " channels"),
                     absl::StrCat(channels));
  }
  return absl::OkStatus();
}

}  // namespace earshot
