#include "data/recording_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;

// Gives recordings whose only sample values are their number, and remembers what was asked for.
class Reader {
 public:
  explicit Reader(int64_t max_bytes) : cache_(max_bytes) {}

  float Get(int number, int64_t samples) {
    const auto audio = cache_.Get(absl::StrCat(number), [&]() -> absl::StatusOr<Audio> {
      read_.push_back(number);
      Audio made;
      made.waveform.assign(samples, static_cast<float>(number));
      return made;
    });
    return audio.value()->waveform.empty() ? -1 : audio.value()->waveform.back();
  }
  std::vector<int> TakeRead() { return std::move(read_); }

 private:
  RecordingCache cache_;
  std::vector<int> read_;
};

TEST(RecordingCache, ReadsOnceWhatIsAskedForAgain) {
  Reader reader(4000);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(reader.Get(1, 100), 1);
  EXPECT_EQ(reader.Get(2, 100), 2);
  EXPECT_EQ(reader.Get(1, 100), 1);
  EXPECT_THAT(reader.TakeRead(), ElementsAre(1, 2));
}

TEST(RecordingCache, TheLeastRecentGoesFirst) {
  Reader reader(1200);  // three of a hundred samples
  for (int number : {1, 2, 3, 1, 4}) EXPECT_EQ(reader.Get(number, 100), number);
  EXPECT_THAT(reader.TakeRead(), ElementsAre(1, 2, 3, 4));
  for (int number : {4, 3, 1, 2}) EXPECT_EQ(reader.Get(number, 100), number);
  EXPECT_THAT(reader.TakeRead(), ElementsAre(2));
}

TEST(RecordingCache, TheLastIsKeptHoweverLargeItIs) {
  Reader reader(1200);
  for (int number : {1, 2, 2, 2}) reader.Get(number, number == 2 ? 1000 : 100);
  EXPECT_THAT(reader.TakeRead(), ElementsAre(1, 2));
  for (int number : {3, 2, 3}) reader.Get(number, 100);  // 2 went when 3 came
  EXPECT_THAT(reader.TakeRead(), ElementsAre(3, 2));
}

TEST(RecordingCache, ManySmallOnes) {
  Reader reader(1 << 20);
  for (int number = 0; number < 100; ++number) reader.Get(number, 1);
  reader.TakeRead();
  for (int number = 99; number >= 36; --number) reader.Get(number, 1);
  EXPECT_THAT(reader.TakeRead(), ElementsAre());
  reader.Get(35, 1);
  EXPECT_THAT(reader.TakeRead(), ElementsAre(35));
}

TEST(RecordingCache, ErrorsAreNotKept) {
  RecordingCache cache(1000);
  int reads = 0;
  const auto read = [&]() -> absl::StatusOr<Audio> {
    if (++reads == 1) return absl::DataLossError("cut short");
    return Audio();
  };
  EXPECT_EQ(cache.Get("a", read).status().message(), "cut short");
  EXPECT_TRUE(cache.Get("a", read).ok());
  EXPECT_TRUE(cache.Get("a", read).ok());
  EXPECT_EQ(reads, 2);
}

TEST(RecordingCache, ThreadsThatAskForTheSameWaitForOneReader) {
  RecordingCache cache(1 << 20);
  std::atomic<int> reads(0), wrong(0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        const int number = i / 20;
        const auto audio = cache.Get(absl::StrCat(number), [&]() -> absl::StatusOr<Audio> {
          ++reads;
          Audio made;
          made.waveform.assign(1000, static_cast<float>(number));
          return made;
        });
        if (audio.value()->waveform[999] != static_cast<float>(number)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(reads, 10);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace earshot
