// The products of the kernels against sums in double, on every instruction set of this machine. (Gates and whole
// levels: simd_test.cc.)
#include "lstm/simd/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "base/tensor.h"
#include "base/testing/every_target.h"
#include "base/testing/near.h"
#include "base/thread_pool.h"
#include "lstm/simd/pack.h"

namespace earshot {
namespace {

std::vector<float> Random(int64_t n, uint64_t seed) {
  RandomStream random(seed, RandomPurpose::kInitialization, 0);
  std::vector<float> v(n);
  for (float& x : v) x = random.Uniform(-1, 1);
  return v;
}

// The matrix [k, 4H] of a product whose panels PackTransposed made: column (block, gate, unit).
struct Case {
  int64_t rows, k, hidden;
};
const std::vector<Case> kCases = {{1, 1, 1},    {2, 3, 5},    {5, 17, 16}, {6, 8, 7},    {7, 33, 40},
                                  {13, 12, 31}, {97, 21, 24}, {200, 5, 9}, {7, 1600, 5}, {3, 0, 9}};

TEST(Product, EqualsTheSumInDouble) {
  ThreadPool pool(1);
  OnEveryTarget([&] {
    const Kernels& kernels = BestKernels();
    const int64_t lanes = kernels.lanes;
    for (const Case& c : kCases) {
      SCOPED_TRACE(testing::Message() << c.rows << " rows, " << c.k << " terms, " << c.hidden << " units");
      const int64_t blocks = (c.hidden + lanes - 1) / lanes, columns = blocks * 4 * lanes;
      const std::vector<float> w = Random(4 * c.hidden * c.k, 1), bias = Random(4 * c.hidden, 2);
      const std::vector<float> a = Random(c.rows * c.k, 3), start = Random(c.rows * columns, 4);
      Tensor<float, 1> packed({columns * c.k}), packed_bias({columns});
      PackTransposed(&pool, w.data(), c.hidden, c.k, lanes, packed.data());
      PackVector(bias.data(), c.hidden, lanes, packed_bias.data());
      std::vector<int32_t> backwards(c.rows);
      for (int64_t r = 0; r < c.rows; ++r) backwards[r] = static_cast<int32_t>(c.rows - 1 - r);
      for (const RowProduct::Start how :
           {RowProduct::Start::kZero, RowProduct::Start::kBias, RowProduct::Start::kAdd}) {
        for (const bool list : {false, true}) {
          std::vector<float> out = start;
          RowProduct p;
          p.rows = c.rows;
          p.k = p.a_stride = c.k;
          p.a = a.data();
          p.a_rows = list ? backwards.data() : nullptr;
          p.b = packed.data();
          p.last_panel = blocks;
          p.c = out.data();
          p.c_stride = p.columns = columns;
          p.c_rows = list ? backwards.data() : nullptr;
          p.start = how;
          p.bias = packed_bias.data();
          kernels.product(p);
          std::vector<float> actual;
          std::vector<double> expected;
          for (int64_t r = 0; r < c.rows; ++r) {
            for (int64_t u = 0; u < c.hidden; ++u) {
              for (int64_t gate = 0; gate < 4; ++gate) {
                const int64_t column = u / lanes * 4 * lanes + gate * lanes + u % lanes;
                double sum = how == RowProduct::Start::kZero   ? 0
                             : how == RowProduct::Start::kBias ? bias[gate * c.hidden + u]
                                                               : start[r * columns + column];
                for (int64_t i = 0; i < c.k; ++i) sum += double{a[r * c.k + i]} * w[(gate * c.hidden + u) * c.k + i];
                expected.push_back(sum);
                actual.push_back(out[r * columns + column]);
              }
            }
          }
          EXPECT_TRUE(AllNear(actual, expected, c.k));
          // Columns that are not there are not touched, and those that are have the same bits.
          for (int64_t vector = 0; vector < columns / lanes; ++vector) {
            for (const int64_t narrow_columns : {vector * lanes + 1, (vector + 1) * lanes - 1, (vector + 1) * lanes}) {
              std::vector<float> narrow = start;
              p.c = narrow.data();
              p.columns = narrow_columns;
              kernels.product(p);
              std::vector<float> expected_narrow = start;
              for (int64_t r = 0; r < c.rows; ++r) {
                std::copy_n(&out[r * columns], narrow_columns, &expected_narrow[r * columns]);
              }
              EXPECT_TRUE(SameBits(narrow, expected_narrow)) << narrow_columns << " columns";
            }
          }
        }
      }
    }
  });
}

// The gradients of a range of gate vectors, as one call or in two.
struct Gradients {
  std::vector<float> w_ih, w_hh, bias;
};
Gradients Compute(const Kernels& kernels, const WeightGradients& shape, int64_t vectors, int64_t cut) {
  Gradients g = {std::vector<float>(4 * shape.hidden * shape.input, 0.5f),
                 std::vector<float>(4 * shape.hidden * shape.hidden, 0.5f), std::vector<float>(4 * shape.hidden, 0.5f)};
  WeightGradients p = shape;
  Tensor<float, 1> scratch({kernels.weight_gradients_scratch(vectors, p.input, p.hidden)});
  p.scratch = scratch.data();
  p.dw_ih = g.w_ih.data();
  p.dw_hh = g.w_hh.data();
  p.dbias = g.bias.data();
  for (const auto& range : {std::make_pair(int64_t{0}, cut), std::make_pair(cut, vectors)}) {
    p.first_vector = range.first;
    p.last_vector = range.second;
    if (p.first_vector < p.last_vector) kernels.weight_gradients(p);
  }
  return g;
}

TEST(WeightGradients, EqualTheSumInDouble) {
  OnEveryTarget([] {
    const Kernels& kernels = BestKernels();
    const int64_t lanes = kernels.lanes;
    for (const Case& c : {Case{1, 1, 1}, Case{3, 2, 5}, Case{300, 47, 21}, Case{257, 64, 33}, Case{600, 5, 16},
                          Case{3, 1030, 18}, Case{130, 1030, 1}}) {
      SCOPED_TRACE(testing::Message() << c.rows << " rows, " << c.k << " inputs, " << c.hidden << " units");
      const int64_t blocks = (c.hidden + lanes - 1) / lanes, hp = blocks * lanes;
      const std::vector<float> dgates = Random(c.rows * 4 * hp, 5), x = Random(c.rows * c.k, 6);
      // The input of the recurrent product: a third of the rows in an array of their own, the others in reversed order.
      const int64_t own = c.rows / 3, stride = c.hidden + 3;
      const std::vector<float> h_own = Random(own * hp, 7), h = Random(c.rows * stride, 8);
      std::vector<int32_t> h_rows(c.rows);
      for (int64_t r = 0; r < c.rows; ++r) h_rows[r] = static_cast<int32_t>(c.rows - 1 - r);
      const auto input = [&](int64_t r, int64_t u) {
        return double{r < own ? h_own[r * hp + u] : h[(c.rows - 1 - r) * stride + u]};
      };
      WeightGradients p;
      p.rows = c.rows;
      p.hidden = c.hidden;
      p.input = p.x_stride = c.k;
      p.dgates = dgates.data();
      p.x = x.data();
      p.h_own = h_own.data();
      p.own_rows = own;
      p.h = h.data();
      p.h_stride = stride;
      p.h_rows = h_rows.data();
      const Gradients whole = Compute(kernels, p, 4 * blocks, 4 * blocks);
      std::vector<double> w_ih, w_hh, bias;
      for (int64_t j = 0; j < 4 * c.hidden; ++j) {
        const int64_t gate = j / c.hidden, u = j % c.hidden;
        const auto gradient = [&](int64_t r) {
          return double{dgates[r * 4 * hp + u / lanes * 4 * lanes + gate * lanes + u % lanes]};
        };
        double sum = 0.5;
        for (int64_t r = 0; r < c.rows; ++r) sum += gradient(r);
        bias.push_back(sum);
        for (int64_t i = 0; i < c.k; ++i) {
          double product = 0.5;
          for (int64_t r = 0; r < c.rows; ++r) product += gradient(r) * x[r * c.k + i];
          w_ih.push_back(product);
        }
        for (int64_t i = 0; i < c.hidden; ++i) {
          double product = 0.5;
          for (int64_t r = 0; r < c.rows; ++r) product += gradient(r) * input(r, i);
          w_hh.push_back(product);
        }
      }
      EXPECT_TRUE(AllNear(whole.w_ih, w_ih, c.rows));
      EXPECT_TRUE(AllNear(whole.w_hh, w_hh, c.rows));
      EXPECT_TRUE(AllNear(whole.bias, bias, c.rows));
      // The cut among threads does not change the bits.
      const Gradients parts = Compute(kernels, p, 4 * blocks, 3);
      EXPECT_TRUE(SameBits(parts.w_ih, whole.w_ih));
      EXPECT_TRUE(SameBits(parts.w_hh, whole.w_hh));
      EXPECT_TRUE(SameBits(parts.bias, whole.bias));
    }
  });
}

// The columns of [x | h] move from vector to vector of the panels with the width of x; the sums keep their bits.
TEST(WeightGradients, SameBitsForAnyWidth) {
  OnEveryTarget([] {
    const Kernels& kernels = BestKernels();
    const int64_t lanes = kernels.lanes, rows = 131, widest = 9 * lanes;
    const std::vector<float> x = Random(rows * widest, 8);
    for (const int64_t hidden : {int64_t{1}, lanes - 1, lanes, lanes + 1, lanes + 7}) {
      const int64_t blocks = (hidden + lanes - 1) / lanes, hp = blocks * lanes;
      const std::vector<float> dgates = Random(rows * 4 * hp, 9), h = Random(rows * hp, 10);
      WeightGradients p;
      p.rows = rows;
      p.hidden = hidden;
      p.input = p.x_stride = widest;
      p.dgates = dgates.data();
      p.x = x.data();
      p.h_own = h.data();
      p.own_rows = rows;
      const Gradients wide = Compute(kernels, p, 4 * blocks, 4 * blocks);
      for (p.input = 1; p.input < widest; p.input += p.input % lanes == 1 ? lanes - 2 : 1) {
        SCOPED_TRACE(testing::Message() << p.input << " inputs, " << hidden << " units");
        const Gradients narrow = Compute(kernels, p, 4 * blocks, 4 * blocks);
        std::vector<float> columns;  // of the wide gradient
        for (int64_t j = 0; j < 4 * hidden; ++j) {
          columns.insert(columns.end(), &wide.w_ih[j * widest], &wide.w_ih[j * widest] + p.input);
        }
        EXPECT_TRUE(SameBits(narrow.w_ih, columns));
        EXPECT_TRUE(SameBits(narrow.w_hh, wide.w_hh));
        EXPECT_TRUE(SameBits(narrow.bias, wide.bias));
      }
    }
  });
}

}  // namespace
}  // namespace earshot
