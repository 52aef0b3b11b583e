#include "asr/checkpoint/testing/repair.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/crc32c.h"

namespace earshot {
namespace {

// Where the object that begins at `begin` ends.
size_t ObjectEnd(const std::string& content, size_t begin) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = begin; i < content.size(); ++i) {
    const char c = content[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth <= 0) {
      return i + 1;
    }
  }
  return content.size();
}

}  // namespace

void RepairSafetensors(std::string* content) {
  if (content->size() < 8) return;
  size_t end = ObjectEnd(*content, 8);
  while (end < content->size() && (*content)[end] == ' ') ++end;
  for (int i = 0; i < 8; ++i) (*content)[i] = static_cast<char>((end - 8) >> (8 * i) & 0xFF);
}

void RepairCheckpoint(std::string* content) {
  RepairSafetensors(content);
  constexpr absl::string_view kKey = "\"crc32c\":\"", kNoCrc = "00000000";
  const size_t found = content->find(kKey.data(), 0, kKey.size());
  if (found == std::string::npos || found + kKey.size() + kNoCrc.size() > content->size()) return;
  const size_t at = found + kKey.size();
  content->replace(at, kNoCrc.size(), kNoCrc.data(), kNoCrc.size());
  content->replace(at, kNoCrc.size(), absl::StrCat(absl::Hex(Crc32c(*content), absl::kZeroPad8)));
}

}  // namespace earshot
