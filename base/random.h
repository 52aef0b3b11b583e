// Counter-based random numbers (Philox 4x32-10: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
// A draw is a pure function of (seed, purpose, position), so a resumed run needs no generator state and no thread
// changes another one's numbers.
#ifndef EARSHOT_BASE_RANDOM_H_
#define EARSHOT_BASE_RANDOM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace earshot {

// The block function: 10 rounds over a 128-bit counter with a 64-bit key.
std::array<uint32_t, 4> Philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

// What a stream is for. Streams with different purposes are independent. Append only: the numbers are part of the
// meaning of a seed.
enum class RandomPurpose : uint32_t {
  kInitialization = 1,
  kShuffle = 2,
  kDropout = 3,
  kAugmentation = 4,
  kCorpus = 5,
  kBench = 6,
  kTest = 7,
  kResampling = 8,
};

// A stream of numbers for one position: (seed, purpose, a, b), for instance (seed, kDropout, step, level).
class RandomStream {
 public:
  RandomStream(uint64_t seed, RandomPurpose purpose, uint64_t a = 0, uint32_t b = 0);

  uint32_t Bits();                       // 32 random bits
  float Uniform();                       // in [0, 1), 24 bits
  float Uniform(float low, float high);  // in [low, high)
  float Normal();                        // mean 0, deviation 1 (Box-Muller)
  uint32_t Below(uint32_t n);            // in [0, n), unbiased; n > 0
  bool Bernoulli(float p) { return Uniform() < p; }
  // The same draws, many at once: out = one with probability p, else `other`.
  void FillBernoulli(float p, float one, float other, absl::Span<float> out);

  template <typename T>
  void Shuffle(std::vector<T>* items) {  // Fisher-Yates
    for (size_t i = items->size(); i > 1; --i) std::swap((*items)[i - 1], (*items)[Below(static_cast<uint32_t>(i))]);
  }

 private:
  std::array<uint32_t, 2> key_;
  std::array<uint32_t, 4> counter_;
  std::array<uint32_t, 4> block_ = {};
  int used_ = 4;
  bool has_normal_ = false;
  float normal_ = 0;
};

}  // namespace earshot

#endif  // EARSHOT_BASE_RANDOM_H_
