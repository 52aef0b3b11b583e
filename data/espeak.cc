#include "data/espeak.h"

#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "data/subprocess.h"

namespace earshot {
namespace {

constexpr char kProgram[] = "espeak-ng";
constexpr size_t kWavHeaderBytes = 44;

absl::StatusOr<std::string> RunEspeak(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), kProgram);
  auto output = RunProgram(arguments);
  if (absl::IsNotFound(output.status())) {
    return absl::NotFoundError(
        "espeak-ng: no such program. It speaks the built-in corpora: install the package espeak-ng "
        "(apt-get install espeak-ng), or give a corpus of recordings");
  }
  return output;
}

uint32_t LittleEndian(absl::string_view bytes, size_t at, int size) {
  uint32_t value = 0;
  for (int i = size - 1; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// One column of a table with a heading, such as `espeak-ng --voices` prints; names may have spaces within, but not two.
absl::StatusOr<std::set<std::string>> VoiceColumn(const std::string& argument, const std::string& heading) {
  ASSIGN_OR_RETURN(const std::string table, RunEspeak({argument}));
  const std::vector<std::string> lines = absl::StrSplit(table, '\n');
  const size_t column = lines[0].find(heading);
  if (column == std::string::npos) {
    return absl::InternalError(absl::StrCat("espeak-ng ", argument, ": no column ", heading));
  }
  std::set<std::string> values;
  for (size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() <= column) continue;
    const std::string rest = lines[i].substr(column);
    values.emplace(absl::StripAsciiWhitespace(rest.substr(0, rest.find(heading == "File" ? "  " : " "))));
  }
  return values;
}

}  // namespace

absl::StatusOr<std::vector<int16_t>> ParseEspeakWav(absl::string_view bytes) {
  const bool header = bytes.size() >= kWavHeaderBytes && bytes.substr(0, 4) == "RIFF" &&
                      bytes.substr(8, 8) == "WAVEfmt " && bytes.substr(36, 4) == "data";
  if (!header) {
    return absl::InternalError(absl::StrCat("espeak-ng: expected a WAV header of ", kWavHeaderBytes, " bytes, found ",
                                            bytes.size(), " bytes", bytes.empty() ? "" : " of something else"));
  }
  const uint32_t format = LittleEndian(bytes, 20, 2), channels = LittleEndian(bytes, 22, 2);
  const uint32_t rate = LittleEndian(bytes, 24, 4), bits = LittleEndian(bytes, 34, 2);
  if (format != 1 || channels != 1 || rate != kEspeakSampleRate || bits != 16) {
    return absl::InternalError(absl::StrCat("espeak-ng: format ", format, ", ", channels, " channels, ", rate, " Hz, ",
                                            bits, " bits; expected PCM, 1 channel, ", kEspeakSampleRate,
                                            " Hz, 16 bits"));
  }
  std::vector<int16_t> samples((bytes.size() - kWavHeaderBytes) / 2);
  for (size_t n = 0; n < samples.size(); ++n) {
    samples[n] = static_cast<int16_t>(LittleEndian(bytes, kWavHeaderBytes + 2 * n, 2));
  }
  return samples;
}

absl::StatusOr<std::vector<int16_t>> Speak(const EspeakRequest& request) {
  // "--" ends the options: a text may start with a dash. -z: no pause at the end.
  ASSIGN_OR_RETURN(const std::string wav,
                   RunEspeak({"--stdout", "-z", "-v", request.voice, "-s", absl::StrCat(request.words_per_minute), "-p",
                              absl::StrCat(request.pitch), "-g", absl::StrCat(request.word_gap), "--", request.text}));
  ASSIGN_OR_RETURN(std::vector<int16_t> samples, ParseEspeakWav(wav));
  if (samples.empty()) {
    return absl::InternalError(
        absl::StrCat("espeak-ng: voice ", request.voice, " gave no sound for \"", request.text, "\""));
  }
  return samples;
}

absl::StatusOr<std::string> EspeakVersion() {
  ASSIGN_OR_RETURN(const std::string text, RunEspeak({"--version"}));
  return std::string(absl::StripAsciiWhitespace(text.substr(0, text.find('\n'))));
}

absl::Status CheckEspeakVoices(const std::vector<std::string>& accents, const std::vector<std::string>& variants) {
  ASSIGN_OR_RETURN(const std::set<std::string> languages, VoiceColumn("--voices=en", "Language"));
  for (const std::string& accent : accents) {
    if (languages.count(accent) == 0) {
      return absl::NotFoundError(absl::StrCat("espeak-ng: has no voice of the language ", accent));
    }
  }
  ASSIGN_OR_RETURN(const std::set<std::string> files, VoiceColumn("--voices=variant", "File"));
  for (const std::string& variant : variants) {
    if (files.count(absl::StrCat("!v/", variant)) == 0) {
      return absl::NotFoundError(absl::StrCat("espeak-ng: has no voice variant ", variant));
    }
  }
  return absl::OkStatus();
}

}  // namespace earshot
