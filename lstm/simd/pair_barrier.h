// The barrier between the two threads of a team, once a time step: a store and a read of a cache line, about 0.2
// microseconds. After a bounded spin it yields, so that a machine with more threads than cores still gets on.
#ifndef EARSHOT_LSTM_SIMD_PAIR_BARRIER_H_
#define EARSHOT_LSTM_SIMD_PAIR_BARRIER_H_

#include <immintrin.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace earshot {

class PairBarrier {
 public:
  // Returns when the other member (0 or 1) has called it as often; what each wrote before is then seen by both.
  void Wait(int member) {
    constexpr int kSpins = 2000;
    const uint32_t round = rounds_[member].count.load(std::memory_order_relaxed) + 1;
    rounds_[member].count.store(round, std::memory_order_release);
    const std::atomic<uint32_t>& other = rounds_[1 - member].count;
    for (int spin = 0; static_cast<int32_t>(other.load(std::memory_order_acquire) - round) < 0; ++spin) {
      if (spin < kSpins) {
        _mm_pause();
      } else {
        std::this_thread::yield();
      }
    }
  }

 private:
  struct alignas(128) Rounds {  // two lines: processors fetch neighbours together
    std::atomic<uint32_t> count{0};
  };
  Rounds rounds_[2];
};

}  // namespace earshot

#endif  // EARSHOT_LSTM_SIMD_PAIR_BARRIER_H_
