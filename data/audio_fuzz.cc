#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "data/audio_file.h"
#include "data/audio_header.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  // The beginning of a file says either nothing or the same as all of it.
  const absl::StatusOr<AudioFormat> beginning = ReadAudioHeader(content.substr(0, 100), content.size(), name);
  const absl::StatusOr<AudioFormat> format = ReadAudioHeader(content, content.size(), name);
  if (beginning.ok()) CHECK(format.ok() && format->frames == beginning->frames && format->begin == beginning->begin);
  AudioOptions last;
  last.channel = format.ok() ? format->channels - 1 : 0;
  RETURN_IF_ERROR(DecodeAudio(content, name, last).status());
  ASSIGN_OR_RETURN(const Audio audio, DecodeAudio(content, name));
  CHECK(format.ok() && audio.sample_rate == format->sample_rate);
  CHECK(format->frames < 0 || static_cast<int64_t>(audio.waveform.size()) == format->frames);
  return absl::OkStatus();
}

}  // namespace

// Most bits of a sound file are samples, which may be any.
const ReaderUnderTest kReaderUnderTest = {Read, 0.4};

}  // namespace earshot
