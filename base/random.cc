#include "base/random.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/random.cc"
#include <hwy/foreach_target.h>  // compiles what follows once an instruction set
#include <hwy/highway.h>

#include "base/check.h"

#ifndef EARSHOT_BASE_RANDOM_CC_SHARED_
#define EARSHOT_BASE_RANDOM_CC_SHARED_
namespace earshot {

constexpr uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57, kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;

}  // namespace earshot
#endif  // EARSHOT_BASE_RANDOM_CC_SHARED_

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // one lane has no halves of products: leaves the work to the caller

size_t FillBlocks(const std::array<uint32_t, 4>& /*counter*/, const std::array<uint32_t, 2>& /*key*/, float /*p*/,
                  float /*one*/, float /*other*/, float* /*out*/, size_t /*n*/) {
  return 0;
}

#else

using Tag = hn::ScalableTag<uint32_t>;
using V = hn::Vec<Tag>;

// The upper and the lower half of a * b.
HWY_INLINE void Multiply(Tag d, V a, V b, V* high, V* low) {
  const hn::RepartitionToWide<Tag> wide;
  const auto even = hn::MulEven(a, b);
  const auto odd = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, a))), b);
  *high = hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even)));
  *low = hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)), hn::BitCast(d, even));
}

// RandomStream::FillBernoulli from whole blocks that begin at `counter`, whose lowest word does not overflow. Returns
// how many numbers it wrote: whole vectors of blocks.
size_t FillBlocks(const std::array<uint32_t, 4>& counter, const std::array<uint32_t, 2>& key, float p, float one,
                  float other, float* out, size_t n) {
  const Tag d;
  const hn::RebindToFloat<Tag> df;
  const hn::RebindToSigned<Tag> di;
  const size_t numbers = 4 * hn::Lanes(d);
  size_t done = 0;
  for (; done + numbers <= n; done += numbers) {
    V c0 = hn::Iota(d, counter[0] + static_cast<uint32_t>(done / 4));
    V c1 = hn::Set(d, counter[1]), c2 = hn::Set(d, counter[2]), c3 = hn::Set(d, counter[3]);
    for (uint32_t round = 0; round < 10; ++round) {
      V high0, low0, high1, low1;
      Multiply(d, c0, hn::Set(d, kMultiplier0), &high0, &low0);
      Multiply(d, c2, hn::Set(d, kMultiplier1), &high1, &low1);
      c0 = hn::Xor(hn::Xor(high1, c1), hn::Set(d, key[0] + round * kWeyl0));
      c2 = hn::Xor(hn::Xor(high0, c3), hn::Set(d, key[1] + round * kWeyl1));
      c1 = low1;
      c3 = low0;
    }
    const auto draw = [&](V bits) HWY_ATTR {
      const auto uniform = hn::Mul(hn::ConvertTo(df, hn::BitCast(di, hn::ShiftRight<8>(bits))), hn::Set(df, 0x1p-24f));
      return hn::IfThenElse(hn::Lt(uniform, hn::Set(df, p)), hn::Set(df, one), hn::Set(df, other));
    };
    hn::StoreInterleaved4(draw(c0), draw(c1), draw(c2), draw(c3), df, out + done);
  }
  return done;
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace earshot {

HWY_EXPORT(FillBlocks);

std::array<uint32_t, 4> Philox4x32(std::array<uint32_t, 4> c, std::array<uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{kMultiplier0} * c[0];
    const uint64_t p1 = uint64_t{kMultiplier1} * c[2];
    c = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<uint32_t>(p1),
         static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<uint32_t>(p0)};
    k = {k[0] + kWeyl0, k[1] + kWeyl1};
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

void RandomStream::FillBernoulli(float p, float one, float other, absl::Span<float> out) {
  size_t i = 0;
  for (; i < out.size() && used_ < 4; ++i) out[i] = Bernoulli(p) ? one : other;
  if (counter_[0] + uint64_t{out.size()} / 4 < uint64_t{1} << 32) {
    const size_t filled =
        HWY_DYNAMIC_DISPATCH(FillBlocks)(counter_, key_, p, one, other, out.data() + i, out.size() - i);
    counter_[0] += static_cast<uint32_t>(filled / 4);
    i += filled;
  }
  for (; i < out.size(); ++i) out[i] = Bernoulli(p) ? one : other;
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
#endif  // HWY_ONCE
