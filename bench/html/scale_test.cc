#include "bench/html/scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace earshot {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

TEST(ScaleTest, LinearAndLogarithmic) {
  const Scale linear{0, 10, 100, 300, false};
  EXPECT_DOUBLE_EQ(linear(0), 100);
  EXPECT_DOUBLE_EQ(linear(2.5), 150);
  const Scale log{1, 100, 300, 100, true};  // upwards
  EXPECT_DOUBLE_EQ(log(1), 300);
  EXPECT_NEAR(log(10), 200, 1e-9);
  EXPECT_NEAR(log(100), 100, 1e-9);
}

TEST(ScaleTest, ARangeOfOneValueIsDrawnInTheMiddle) { EXPECT_DOUBLE_EQ((Scale{5, 5, 0, 10, false})(5), 5); }

TEST(TicksTest, RoundNumbers) {
  EXPECT_THAT(LinearTicks(0, 1, 5), Pointwise(DoubleNear(1e-12), std::vector<double>{0, 0.2, 0.4, 0.6, 0.8, 1.0}));
  EXPECT_THAT(LinearTicks(0, 18, 8),
              Pointwise(DoubleNear(1e-9), std::vector<double>{0, 2.5, 5, 7.5, 10, 12.5, 15, 17.5}));
  EXPECT_THAT(LinearTicks(97, 103, 3), Pointwise(DoubleNear(1e-9), std::vector<double>{98, 100, 102}));
  EXPECT_THAT(LinearTicks(3, 3, 5), ElementsAre(3));
  EXPECT_FALSE(std::signbit(LinearTicks(-0.1, 1, 5)[0]));  // no "-0"
}

TEST(TicksTest, LogarithmicOnesArePowersOfTen) {
  EXPECT_THAT(LogTicks(1, 1000), Pointwise(DoubleNear(1e-9), std::vector<double>{1, 10, 100, 1000}));
  EXPECT_THAT(LogTicks(3, 60), Pointwise(DoubleNear(1e-9), std::vector<double>{5, 10, 20, 50}));
  EXPECT_THAT(Ticks(Scale{2.1, 2.9, 0, 1, true}, 4),
              Pointwise(DoubleNear(1e-9), std::vector<double>{2.2, 2.4, 2.6, 2.8}));
}

TEST(TextsTest, ThreeDigitsOfATime) {
  EXPECT_EQ(TimeText(0), "0");
  EXPECT_EQ(TimeText(0.00000123), "1.23 µs");
  EXPECT_EQ(TimeText(0.0004567), "457 µs");
  EXPECT_EQ(TimeText(0.0009996), "1.00 ms");
  EXPECT_EQ(TimeText(0.0075), "7.50 ms");
  EXPECT_EQ(TimeText(0.075), "75.0 ms");
  EXPECT_EQ(TimeText(0.53447), "534 ms");
  EXPECT_EQ(TimeText(2.921), "2921 ms");
  EXPECT_EQ(TimeText(16.21), "16.2 s");
  EXPECT_EQ(TimeText(275.6), "276 s");
  // Rounding never adds a digit.
  EXPECT_EQ(TimeText(0.00999999), "10.0 ms");
  EXPECT_EQ(TimeText(0.0999999), "100 ms");
}

TEST(TextsTest, OtherNumbers) {
  EXPECT_EQ(RangeText(0.221, 0.226), "221 – 226 ms");
  EXPECT_EQ(RangeText(0, 0.2), "0 – 200 ms");
  EXPECT_EQ(RangeText(9.9, 10.2), "9900 ms – 10.2 s");
  EXPECT_EQ(RatioText(1), "1.0×");
  EXPECT_EQ(RatioText(7.24), "7.2×");
  EXPECT_EQ(RatioText(72.3), "72×");
  EXPECT_EQ(BytesText(16000000), "16.0 MB");
  EXPECT_EQ(CountText(571520), "571,520");
  EXPECT_EQ(CountText(8554880), "8,554,880");
  EXPECT_EQ(CountText(999), "999");
  EXPECT_EQ(CountText(-1000), "-1,000");
  EXPECT_EQ(TickLabel(0.25), "0.25");
  EXPECT_EQ(TickLabel(20000), "20,000");
}

}  // namespace
}  // namespace earshot
