// The bytes of WAV and AIFF files, and folders of such, for tests.
#ifndef EARSHOT_DATA_TESTING_WAV_H_
#define EARSHOT_DATA_TESTING_WAV_H_

#include <sys/stat.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/check.h"

namespace earshot {

// `value` in `bytes` bytes.
inline std::string Little(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
  return text;
}
inline std::string Big(uint64_t value, int bytes) {
  const std::string text = Little(value, bytes);
  return std::string(text.rbegin(), text.rend());
}
inline std::string Number(uint64_t value, int bytes, bool big_endian) {
  return big_endian ? Big(value, bytes) : Little(value, bytes);
}

// A chunk of RIFF (little-endian) or of AIFF and RIFX, with its padding.
inline std::string Chunk(absl::string_view id, absl::string_view body, bool big_endian = false) {
  return absl::StrCat(id, Number(body.size(), 4, big_endian), body, std::string(body.size() % 2, '\0'));
}

// The first 16 bytes of a "fmt " chunk.
inline std::string WavFormat(int tag, int channels, uint32_t sample_rate, int bits, bool big_endian = false) {
  const int frame = channels * ((bits + 7) / 8);
  const auto number = [&](uint64_t value, int bytes) { return Number(value, bytes, big_endian); };
  return absl::StrCat(number(tag, 2), number(channels, 2), number(sample_rate, 4), number(sample_rate * frame, 4),
                      number(frame, 2), number(bits, 2));
}

inline std::string Riff(absl::string_view chunks) {
  return absl::StrCat("RIFF", Little(4 + chunks.size(), 4), "WAVE", chunks);
}

// 16-bit PCM, mono.
inline std::string WavBytes(int sample_rate, const std::vector<int16_t>& samples) {
  std::string data;
  for (const int16_t sample : samples) data += Little(static_cast<uint16_t>(sample), 2);
  return Riff(Chunk("fmt ", WavFormat(1, 1, sample_rate, 16)) + Chunk("data", data));
}

// An empty folder under TEST_TMPDIR.
inline std::string MakeTestFolder(const std::string& name) {
  const char* root = std::getenv("TEST_TMPDIR");
  const std::string folder = std::string(root != nullptr ? root : "/tmp") + "/" + name;
  CHECK_EQ(mkdir(folder.c_str(), 0755), 0) << folder;
  return folder;
}

inline void WriteTestFile(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  CHECK(file.good()) << path;
}

}  // namespace earshot

#endif  // EARSHOT_DATA_TESTING_WAV_H_
