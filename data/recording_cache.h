// The last decoded recordings: the segments of one follow each other, and it is decoded once and not once a segment.
#ifndef EARSHOT_DATA_RECORDING_CACHE_H_
#define EARSHOT_DATA_RECORDING_CACHE_H_

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "data/audio_file.h"

namespace earshot {

constexpr int64_t kRecordingCacheBytes = int64_t{256} << 20;  // 70 minutes at 16 kHz

class RecordingCache {
 public:
  // Keeps at most `max_bytes` of samples and 64 recordings, but always the last one. While it is used, each thread
  // holds one more.
  explicit RecordingCache(int64_t max_bytes) : max_bytes_(max_bytes) {}

  // What `read` gives, kept under `key`. Thread-safe; `read` runs in one thread at a time for the same key, and again
  // after an error.
  absl::StatusOr<std::shared_ptr<const Audio>> Get(const std::string& key,
                                                   absl::FunctionRef<absl::StatusOr<Audio>()> read);

 private:
  struct Slot {
    std::mutex mutex;  // held while the recording is read
    std::shared_ptr<const Audio> audio;
  };
  struct Recording {
    std::string key;
    std::shared_ptr<Slot> slot;
    int64_t bytes = 0;  // 0 until it is read
  };

  std::shared_ptr<Slot> Find(const std::string& key);
  void Keep(const Slot* slot, int64_t bytes);

  const int64_t max_bytes_;
  std::mutex mutex_;             // of what follows; never held while a slot's is waited for
  std::list<Recording> recent_;  // the last one first
};

}  // namespace earshot

#endif  // EARSHOT_DATA_RECORDING_CACHE_H_
