#include "data/resample.h"

#include <samplerate.h>

#include <memory>

#include "absl/strings/str_cat.h"

namespace earshot {
namespace {

struct DeleteState {
  void operator()(SRC_STATE* state) const { src_delete(state); }
};

absl::Status Error(int from_rate, int to_rate, const char* what) {
  return absl::InvalidArgumentError(
      absl::StrCat("cannot resample from ", from_rate, " Hz to ", to_rate, " Hz: ", what));
}

}  // namespace

int64_t ResampledLength(int64_t samples, int from_rate, int to_rate) {
  return (samples * to_rate + from_rate - 1) / from_rate;
}

absl::StatusOr<std::vector<float>> Resample(absl::Span<const float> waveform, int from_rate, int to_rate) {
  if (from_rate <= 0 || to_rate <= 0) return Error(from_rate, to_rate, "rates must be positive");
  if (from_rate == to_rate || waveform.empty()) return std::vector<float>(waveform.begin(), waveform.end());
  const double ratio = static_cast<double>(to_rate) / from_rate;
  if (!src_is_valid_ratio(ratio)) return Error(from_rate, to_rate, "the ratio is above 256");

  int error = 0;
  std::unique_ptr<SRC_STATE, DeleteState> state(src_new(SRC_SINC_MEDIUM_QUALITY, 1, &error));
  if (state == nullptr) return Error(from_rate, to_rate, src_strerror(error));

  // Silence after the end keeps the converter going until the last output sample that is due.
  std::vector<float> input(waveform.begin(), waveform.end());
  input.resize(input.size() + 2 + from_rate / to_rate);
  std::vector<float> output(ResampledLength(waveform.size(), from_rate, to_rate));
  SRC_DATA data = {};
  data.data_in = input.data();
  data.input_frames = input.size();
  data.data_out = output.data();
  data.output_frames = output.size();
  data.end_of_input = 1;
  data.src_ratio = ratio;
  error = src_process(state.get(), &data);
  if (error != 0) return Error(from_rate, to_rate, src_strerror(error));
  if (data.output_frames_gen != data.output_frames) {
    return absl::InternalError(
        absl::StrCat("libsamplerate gave ", data.output_frames_gen, " samples, ", data.output_frames, " expected"));
  }
  return output;
}

}  // namespace earshot
