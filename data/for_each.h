// Independent items from several threads, for loading data (training itself runs on base/thread_pool.h's fixed shares).
#ifndef EARSHOT_DATA_FOR_EACH_H_
#define EARSHOT_DATA_FOR_EACH_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace earshot {

// Calls work(i) once for each i in [0, n). Every call writes to places of its own, so that the result is the same for
// any number of threads; which thread takes which item is open.
template <typename Work>
void ForEach(int64_t n, int num_threads, const Work& work) {
  std::atomic<int64_t> next{0};
  const auto loop = [&] {
    for (int64_t i = next++; i < n; i = next++) work(i);
  };
  std::vector<std::thread> threads;
  for (int64_t t = 1; t < std::min<int64_t>(num_threads, n); ++t) threads.emplace_back(loop);
  loop();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace earshot

#endif  // EARSHOT_DATA_FOR_EACH_H_
