#include "base/check.h"
#include "base/crc32c.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "data/spoken_cache.h"

namespace earshot {
namespace {

constexpr size_t kHeaderBytes = 12;

absl::Status Read(absl::string_view content, absl::string_view name) {
  ASSIGN_OR_RETURN(const SpokenCache cache, ParseSpokenCache(content, name, "key", ""));
  CHECK(cache.sample_rate() > 0);
  for (const SpokenUtterance& utterance : cache.train()) {
    CHECK(DecodePcm(utterance.pcm()).size() == utterance.pcm().size() / 2);
  }
  return absl::OkStatus();
}

void Repair(std::string* content) {
  if (content->size() < kHeaderBytes) return;
  const uint32_t crc = Crc32c(absl::string_view(*content).substr(kHeaderBytes));
  for (int i = 0; i < 4; ++i) (*content)[8 + i] = static_cast<char>(crc >> (8 * i) & 0xFF);
}

}  // namespace

const ReaderUnderTest kReaderUnderTest = {Read, 0.6, Repair};

}  // namespace earshot
