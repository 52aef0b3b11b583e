#include "base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace earshot {
namespace {

TEST(JsonTest, StringsAreEscaped) {
  EXPECT_EQ(JsonString(""), "\"\"");
  EXPECT_EQ(JsonString("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(JsonString(absl::string_view("\n\t\x01\0", 4)), R"("\u000a\u0009\u0001\u0000")");
  EXPECT_EQ(JsonString("æß/"), "\"æß/\"");
}

TEST(JsonTest, NumbersThatJsonLacksAreNull) {
  EXPECT_EQ(JsonNumber(0), "0");
  EXPECT_EQ(JsonNumber(-1.5), "-1.5");
  EXPECT_EQ(JsonNumber(1e-20), "1e-20");
  EXPECT_EQ(JsonNumber(100.0 / 3), "33.3333333");
  for (double x : {std::nan(""), HUGE_VAL, -HUGE_VAL}) EXPECT_EQ(JsonNumber(x), "null");
}

TEST(JsonTest, ExactNumbersReadAsTheSame) {
  EXPECT_EQ(JsonExactNumber(0.1), "0.1");
  EXPECT_EQ(JsonExactNumber(2), "2");
  EXPECT_EQ(JsonExactNumber(1e-20), "1e-20");
  for (double x : {1.0 / 3, 4225.0 / 16000, 0.1 + 0.2, 5e-324, -1.7976931348623157e308}) {
    EXPECT_EQ(std::strtod(JsonExactNumber(x).c_str(), nullptr), x);
  }
}

}  // namespace
}  // namespace earshot
