// The suite's own check: typical mistakes have to be caught.
#include "lstm/testing/conformance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "base/testing/near.h"
#include "lstm/lstm_params.h"
#include "lstm/registry.h"

namespace earshot {
namespace {

TEST(Conforms, MistakesAreCaught) {
  const LstmCase c = {"control", {6, 10, 2, true, true}, {9, 9, 7, 4, 4, 1}};
  const LstmData data = MakeData(c);
  const LstmResults<double> truth = Truth(c, data);
  ThreadPool pool(1);
  const std::unique_ptr<Lstm> lstm = *CreateLstm("reference", c.config, {&pool, nullptr});
  const LstmResults<float> right = RunLstm(lstm.get(), c, data);
  ASSERT_TRUE(Conforms(c, right, truth, kDefaultToleranceFactor));

  LstmData swapped = data;  // gates g and o exchanged
  for (int d = 0; d < 2; ++d) {
    const auto p = LstmDirection(c.config, absl::MakeSpan(swapped.params), d);
    std::swap_ranges(p.w_ih.data() + 2 * 60, p.w_ih.data() + 3 * 60, p.w_ih.data() + 3 * 60);
  }
  EXPECT_FALSE(Conforms(c, RunLstm(lstm.get(), c, swapped), truth, kDefaultToleranceFactor));

  const int64_t h = c.config.hidden_size;
  for (int d = 0; d < 2; ++d) {  // one gradient 1 % off
    for (int part = 0; part < 8; ++part) {
      LstmResults<float> wrong = right;
      const auto p = LstmDirection(c.config, absl::MakeSpan(wrong.dparams), d);
      const absl::Span<float> parts[] = {p.w_ih.span(),
                                         p.w_hh.span(),
                                         {p.bias, static_cast<size_t>(4 * h)},
                                         {p.w_ci, static_cast<size_t>(h)},
                                         {p.w_cf, static_cast<size_t>(h)},
                                         {p.w_co, static_cast<size_t>(h)},
                                         {p.h0, static_cast<size_t>(h)},
                                         {p.c0, static_cast<size_t>(h)}};
      for (float& g : parts[part]) g *= 1.01f;
      EXPECT_FALSE(Conforms(c, wrong, truth, kDefaultToleranceFactor)) << "direction " << d << ", part " << part;
    }
  }
  LstmResults<float> nan = right;
  nan.dx[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(Conforms(c, nan, truth, kDefaultToleranceFactor));
  LstmResults<float> scaled = right;
  for (float& g : scaled.dx) g *= 1.01f;
  EXPECT_FALSE(Conforms(c, scaled, truth, kDefaultToleranceFactor));
}

}  // namespace
}  // namespace earshot
