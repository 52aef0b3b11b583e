#include "bench/html/style.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"

namespace earshot {
namespace {

// The sheet of one scheme: the dark one stands in the second half.
std::string Sheet(bool dark) {
  const std::string svg = StandaloneSvg({"id", "title", "", "<svg width=\"1\">\n</svg>\n", ""});
  const size_t half = svg.find("prefers-color-scheme: dark");
  return dark ? svg.substr(half) : svg.substr(0, half);
}

// Relative luminance of a fill, WCAG 2.1.
double Luminance(const std::string& name, bool dark) {
  const std::string sheet = Sheet(dark), rule = absl::StrCat("svg .fill-", name, " { fill: #");
  const size_t at = sheet.find(rule);
  EXPECT_NE(at, std::string::npos) << name;
  double parts[3];
  for (int i = 0; i < 3; ++i) {
    const double value = std::stoi(sheet.substr(at + rule.size() + 2 * i, 2), nullptr, 16) / 255.0;
    parts[i] = value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  }
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

double Contrast(const std::string& a, const std::string& b, bool dark) {
  const double x = Luminance(a, dark), y = Luminance(b, dark);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(StyleTest, ColoursCanBeTold) {
  for (bool dark : {false, true}) {
    for (const char* text : {"ink", "muted", "bad", "own"}) EXPECT_GE(Contrast(text, "paper", dark), 4.5) << text;
    for (const char* family : {"own", "torch", "tf", "jax", "theano", "other", "published"}) {
      EXPECT_GE(Contrast(family, "paper", dark), 3) << family << " " << dark;
    }
    for (const char* bar : {"p1", "p3", "p5", "p7"}) EXPECT_GE(Contrast(bar, "paper", dark), 4.5) << bar << " " << dark;
    for (const char* bar : {"p2", "p4", "p6", "p8", "p9"})
      EXPECT_GE(Contrast(bar, "ink", dark), 4.5) << bar << " " << dark;
  }
}

// Programs other than browsers show SVG, and most of them know no variables.
TEST(StyleTest, AFigureOfItsOwnHasNoVariables) {
  EXPECT_EQ(Sheet(false).find("var("), std::string::npos);
  EXPECT_EQ(Sheet(true).find("var("), std::string::npos);
  EXPECT_NE(PageStyle().find("var(--ink)"), std::string::npos);
}

}  // namespace
}  // namespace earshot
