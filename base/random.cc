#include "base/random.h"

#include <cmath>

#include "base/check.h"

namespace earshot {

std::array<uint32_t, 4> Philox4x32(std::array<uint32_t, 4> c, std::array<uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xD2511F53} * c[0];
    const uint64_t p1 = uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<uint32_t>(p1),
         static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<uint32_t>(p0)};
    k = {k[0] + 0x9E3779B9, k[1] + 0xBB67AE85};
  }
  return c;
}

RandomStream::RandomStream(uint64_t seed, RandomPurpose purpose, uint64_t a, uint32_t b) {
  // The position (a, b, purpose) keys the stream through one block, so that no two positions overlap in the counter.
  const std::array<uint32_t, 4> mixed =
      Philox4x32({static_cast<uint32_t>(a), static_cast<uint32_t>(a >> 32), b, static_cast<uint32_t>(purpose)},
                 {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
  key_ = {mixed[0], mixed[1]};
  counter_ = {0, 0, mixed[2], mixed[3]};
}

uint32_t RandomStream::Bits() {
  if (used_ == 4) {
    block_ = Philox4x32(counter_, key_);
    if (++counter_[0] == 0) ++counter_[1];
    used_ = 0;
  }
  return block_[used_++];
}

float RandomStream::Uniform() { return static_cast<float>(Bits() >> 8) * 0x1p-24f; }

float RandomStream::Uniform(float low, float high) {
  const float x = low + (high - low) * Uniform();
  return x < high ? x : std::nextafter(high, low);  // rounding may have reached `high`
}

float RandomStream::Normal() {
  if (has_normal_) {
    has_normal_ = false;
    return normal_;
  }
  const double u = (static_cast<double>(Bits()) + 1.0) * 0x1p-32;  // in (0, 1]
  const double angle = 2 * M_PI * 0x1p-32 * Bits();
  const double radius = std::sqrt(-2 * std::log(u));
  normal_ = static_cast<float>(radius * std::sin(angle));
  has_normal_ = true;
  return static_cast<float>(radius * std::cos(angle));
}

uint32_t RandomStream::Below(uint32_t n) {
  CHECK_GT(n, 0u);
  // Rejects the incomplete last run of [0, 2^32) so that every value is equally likely.
  const uint32_t limit = static_cast<uint32_t>(-n) % n;
  while (true) {
    const uint32_t bits = Bits();
    if (bits >= limit) return bits % n;
  }
}

}  // namespace earshot
