#include "data/recording_cache.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/status_macros.h"

namespace earshot {
namespace {

constexpr size_t kMaxRecordings = 64;  // a walk over the list is nothing beside a decoder's work

}  // namespace

absl::StatusOr<std::shared_ptr<const Audio>> RecordingCache::Get(const std::string& key,
                                                                 absl::FunctionRef<absl::StatusOr<Audio>()> read) {
  const std::shared_ptr<Slot> slot = Find(key);
  std::lock_guard<std::mutex> lock(slot->mutex);
  if (slot->audio == nullptr) {
    ASSIGN_OR_RETURN(Audio audio, read());
    const int64_t bytes = static_cast<int64_t>(audio.waveform.size() * sizeof(float));
    slot->audio = std::make_shared<const Audio>(std::move(audio));
    Keep(slot.get(), bytes);
  }
  return slot->audio;
}

std::shared_ptr<RecordingCache::Slot> RecordingCache::Find(const std::string& key) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found =
      std::find_if(recent_.begin(), recent_.end(), [&key](const Recording& recording) { return recording.key == key; });
  if (found != recent_.end()) {
    recent_.splice(recent_.begin(), recent_, found);
  } else {
    recent_.push_front({key, std::make_shared<Slot>(), 0});
    if (recent_.size() > kMaxRecordings) recent_.pop_back();
  }
  return recent_.front().slot;
}

void RecordingCache::Keep(const Slot* slot, int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  int64_t sum = 0;
  for (auto recording = recent_.begin(); recording != recent_.end();) {
    if (recording->slot.get() == slot) recording->bytes = bytes;
    sum += recording->bytes;
    const bool drop = sum > max_bytes_ && recording->bytes > 0 && recording != recent_.begin();
    if (drop) sum -= recording->bytes;
    recording = drop ? recent_.erase(recording) : std::next(recording);
  }
}

}  // namespace earshot
