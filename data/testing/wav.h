// The bytes of a WAV file and folders of such, for tests.
#ifndef EARSHOT_DATA_TESTING_WAV_H_
#define EARSHOT_DATA_TESTING_WAV_H_

#include <sys/stat.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "base/check.h"

namespace earshot {

// 16-bit PCM, mono.
inline std::string WavBytes(int sample_rate, const std::vector<int16_t>& samples) {
  std::string bytes;
  const auto number = [&bytes](uint32_t value, int size) {
    for (int i = 0; i < size; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
  };
  const uint32_t data_bytes = static_cast<uint32_t>(samples.size() * 2);
  bytes += "RIFF";
  number(36 + data_bytes, 4);
  bytes += "WAVEfmt ";
  number(16, 4);
  number(1, 2);  // PCM
  number(1, 2);  // channels
  number(sample_rate, 4);
  number(sample_rate * 2, 4);
  number(2, 2);
  number(16, 2);
  bytes += "data";
  number(data_bytes, 4);
  for (const int16_t sample : samples) number(static_cast<uint16_t>(sample), 2);
  return bytes;
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
