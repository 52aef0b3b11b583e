// What the drawings say: order, numbers, lengths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "bench/html/bars.h"
#include "bench/html/lines.h"
#include "bench/html/roofline.h"
#include "bench/html/stacks.h"
#include "bench/html/strips.h"
#include "bench/html/style.h"
#include "bench/html/svg.h"

namespace earshot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// The contents of all text elements, in their order.
std::vector<std::string> Texts(const std::string& svg) {
  std::vector<std::string> texts;
  for (size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1)) {
    const size_t from = svg.find('>', at) + 1;
    texts.push_back(svg.substr(from, svg.find('<', from) - from));
  }
  return texts;
}

// The attribute of each element that has the class.
std::vector<double> Attributes(const std::string& svg, const std::string& css, const std::string& name) {
  std::vector<double> values;
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(svg, '\n'))) {
    const size_t at = line.find(absl::StrCat(" ", name, "=\""));
    if (at != std::string::npos && line.find(absl::StrCat("class=\"", css)) != std::string::npos) {
      values.push_back(std::stod(line.substr(at + name.size() + 3)));
    }
  }
  return values;
}

Bar MakeBar(const std::string& label, double seconds) {
  Bar bar;
  bar.label = label;
  bar.seconds = seconds;
  return bar;
}

TEST(BarsTest, ShortestFirstWithTimeAndRatio) {
  std::vector<Bar> bars = {MakeBar("slow", 0.15), MakeBar("fast", 0.075), MakeBar("other function", 0.05)};
  bars[2].pale = true;
  RankBars(&bars);
  const std::string svg = DrawBars({{"", bars}}, "times", kWideFigure);
  EXPECT_THAT(Texts(svg),
              ElementsAre("other function", "50.0 ms", "fast", "75.0 ms ::: 1.0×", "slow", "150 ms ::: 2.0×"));
  const std::vector<double> widths = Attributes(svg, "fill-own", "width");
  ASSERT_EQ(widths.size(), 3u);
  EXPECT_NEAR(widths[2] / widths[1], 2, 0.01);  // lengths are times
  EXPECT_THAT(svg, HasSubstr("fill-own pale"));
}

TEST(BarsTest, ALongBarIsCutAndKeepsItsNumbers) {
  std::vector<Bar> bars = {MakeBar("fast", 1), MakeBar("reference", 100)};
  RankBars(&bars);
  const std::string svg = DrawBars({{"", bars}}, "times", kNarrowFigure);
  EXPECT_THAT(Texts(svg), ElementsAre("fast", "1000 ms ::: 1.0×", "reference", "100 s ::: 100×"));
  const std::vector<double> widths = Attributes(svg, "fill-own", "width");
  EXPECT_NEAR(widths[1] / widths[0], kLongestBar, 0.05);
  EXPECT_THAT(svg, HasSubstr("class=\"break\""));
}

TEST(BarsTest, EachPanelHasItsOwnScaleAndTitle) {
  const std::string svg = DrawBars(
      {{"", {MakeBar("ours", 0.2)}}, {"Published: another machine", {MakeBar("theirs", 0.02)}}}, "t", kWideFigure);
  const std::vector<double> widths = Attributes(svg, "fill-own", "width");
  EXPECT_DOUBLE_EQ(widths[0], widths[1]);
  EXPECT_THAT(Texts(svg), ElementsAre("ours", "200 ms", "Published: another machine", "theirs", "20.0 ms"));
}

TEST(BarsTest, ScaledBarsAreHatchedInsideTheirEdges) {
  Bar bar = MakeBar("scaled", 1);
  EXPECT_THAT(DrawBars({{"", {bar}}}, "t", kWideFigure), Not(HasSubstr("hatch")));
  bar.scaled = true;
  EXPECT_THAT(DrawBars({{"", {bar}}}, "t", kWideFigure), HasSubstr("class=\"hatch\""));
}

TEST(BarsTest, TheWhiskerGoesFromLowToHigh) {
  Bar bar = MakeBar("row", 1);
  bar.low = 0.9;
  bar.high = 1.2;
  const std::string svg = DrawBars({{"", {bar}}}, "t", kNarrowFigure);
  const double unit = Attributes(svg, "fill-own", "width")[0];
  EXPECT_NEAR(Attributes(svg, "whisker", "x1")[0], 0.9 * unit, 0.1);
  EXPECT_NEAR(Attributes(svg, "whisker", "x2")[0], 1.2 * unit, 0.1);
}

TEST(BarsTest, NamesAreEscapedAndFit) {
  const std::string svg =
      DrawBars({{"", {MakeBar("<script>x</script>", 1), MakeBar(std::string(300, 'n'), 1)}}}, "\"&", kWideFigure);
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"&quot;&amp;\""));
  for (const std::string& text : Texts(svg)) EXPECT_LT(text.size(), 120u);
}

LineChart TwoLines() {
  LineChart chart;
  chart.x_label = "batch";
  chart.log_x = chart.log_y = true;
  chart.series.resize(2);
  chart.series[0] = {"simd", Family::kOwn, 0, {{1, 0.001}, {10, 0.01}, {100, 0.1}}, {}, {}};
  chart.series[1] = {"torch:lstm", Family::kPyTorch, 0, {{1, 0.002}, {10, 0.02}, {100, 0.2}}, {}, {}};
  return chart;
}

// The points of the first polyline.
std::vector<Point> PolylinePoints(const std::string& svg) {
  const size_t from = svg.find("points=\"", svg.find("<polyline")) + 8;
  std::vector<Point> points;
  for (const std::string& pair :
       std::vector<std::string>(absl::StrSplit(svg.substr(from, svg.find('"', from) - from), ' '))) {
    points.push_back({std::stod(pair), std::stod(pair.substr(pair.find(',') + 1))});
  }
  return points;
}

TEST(LinesTest, APowerLawIsStraightOnLogarithmicAxes) {
  const std::vector<Point> points = PolylinePoints(DrawLines(TwoLines(), "sweep", kWideFigure));
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR(points[1].first, (points[0].first + points[2].first) / 2, 0.2);
  EXPECT_NEAR(points[1].second, (points[0].second + points[2].second) / 2, 0.2);
  EXPECT_LT(points[2].second, points[0].second);  // larger is higher
}

TEST(LinesTest, EachLineIsNamedOnce) {
  for (double width : {kWideFigure, kNarrowFigure}) {
    const std::vector<std::string> texts = Texts(DrawLines(TwoLines(), "sweep", width));
    for (const char* name : {"simd", "torch:lstm", "batch"}) EXPECT_EQ(std::count(texts.begin(), texts.end(), name), 1);
  }
}

TEST(LinesTest, NamesDoNotCoverEachOther) {
  LineChart chart = TwoLines();
  for (int i = 0; i < 6; ++i) chart.series.push_back(chart.series[0]);
  const std::vector<double> y = Attributes(DrawLines(chart, "sweep", kWideFigure), "strong", "y");
  ASSERT_EQ(y.size(), 7u);
  for (size_t i = 1; i < y.size(); ++i) EXPECT_GE(y[i] - y[i - 1], 13);
}

TEST(LinesTest, SeriesOfAFamilyDifferByTheirDash) {
  std::vector<Series> series = {
      {"a", Family::kOwn, 0, {}, {}, {}}, {"b", Family::kOwn, 0, {}, {}, {}}, {"c", Family::kJax, 0, {}, {}, {}}};
  SetDashes(&series);
  EXPECT_EQ(series[0].dash, 0);
  EXPECT_EQ(series[1].dash, 1);
  EXPECT_EQ(series[2].dash, 0);
}

TEST(StacksTest, PartsFillTheBarAndTheRemainderIsSeen) {
  const std::string svg =
      DrawStacks({{"simd", {{"recurrence", 0.6}, {"weight_gradients", 0.399}}, 0.001, 0}}, "phases", kNarrowFigure);
  EXPECT_NEAR(Attributes(svg, "fill-p1", "width").back(), 0.6 * kNarrowFigure, 0.2);
  EXPECT_NEAR(Attributes(svg, "fill-p4", "width").back(), 0.399 * kNarrowFigure, 0.2);
  EXPECT_GE(Attributes(svg, "remainder", "width").back(), 2);
  EXPECT_THAT(Texts(svg), testing::IsSupersetOf({"recurrence", "weight gradients", "remainder", "60 %", "40 %",
                                                 "1000 ms; remainder 0.10 %"}));
}

TEST(StacksTest, SpeedsAreSharesOfTheRoof) {
  const std::string svg = DrawSpeeds({{"input_gemm", 0.1, 20}}, 400, "speeds", kWideFigure);
  EXPECT_THAT(Texts(svg), testing::IsSupersetOf({"roof: 400 GFLOP/s", "200 GFLOP/s, 50 %; 100 ms, roof 50.0 ms"}));
  EXPECT_NEAR(Attributes(svg, "fill-p2", "width")[0] / Attributes(svg, "panel", "width")[0], 0.5, 0.001);
}

// Equal distances for equal ratios; a point on a roof lies on its line.
TEST(RooflineTest, PointsLieUnderTheirRoofs) {
  const Roofline roofline = {400,
                             40,
                             {{"gemm", Family::kOwn, true, 100, 400},
                              {"stream", Family::kOwn, true, 1, 40},
                              {"simd", Family::kOwn, false, 10, 200},
                              {"torch:lstm", Family::kPyTorch, false, 10, 100}}};
  for (double width : {kWideFigure, kNarrowFigure}) {
    const std::string svg = DrawRoofline(roofline, "roofline", width);
    const std::vector<double> x = Attributes(svg, "ring", "cx"), y = Attributes(svg, "ring", "cy");
    ASSERT_EQ(x.size(), 2u);
    const double step = Attributes(svg, "fill-own", "cx")[0];
    EXPECT_NEAR(x[0] - step, step - x[1], 0.2);
    EXPECT_NEAR(Attributes(svg, "fill-torch", "cy")[0] - Attributes(svg, "fill-own", "cy")[0],
                Attributes(svg, "fill-own", "cy")[0] - y[0], 0.2);
    EXPECT_NEAR(y[0], Attributes(svg, "roof peak", "y1")[0], 0.1);
    // The slope rises to the ridge at 10 FLOP a byte.
    EXPECT_NEAR(Attributes(svg, "roof slope", "x2")[0], step, 0.1);
    EXPECT_NEAR(Attributes(svg, "roof slope", "y2")[0], y[0], 0.1);
    const double x1 = Attributes(svg, "roof slope", "x1")[0], y1 = Attributes(svg, "roof slope", "y1")[0];
    EXPECT_NEAR((y[1] - y1) * (step - x1), (y[0] - y1) * (x[1] - x1), 50);
    EXPECT_THAT(Texts(svg),
                testing::IsSupersetOf({"peak 400 GFLOP/s", "memory 40 GB/s", "gemm", "stream", "simd", "torch:lstm"}));
    EXPECT_THAT(svg, HasSubstr("<title>torch:lstm: 100 GFLOP/s at 10 FLOP a byte, 25 % of its roof</title>"));
  }
}

TEST(RooflineTest, NamesDoNotCoverEachOther) {
  Roofline roofline = {400, 40, {}};
  for (int i = 0; i < 30; ++i) roofline.points.push_back({"row", Family::kOwn, false, 76, i < 15 ? 300.0 : 1.0});
  const std::vector<double> y = Attributes(DrawRoofline(roofline, "roofline", kNarrowFigure), "strong", "y");
  ASSERT_EQ(y.size(), 30u);
  for (size_t i = 1; i < y.size(); ++i) EXPECT_GE(y[i] - y[i - 1], 14);
}

TEST(StripsTest, OnlyStepsThatCountMakeTheScale) {
  const Strip strip{"simd", Family::kOwn, {{{9.0, 0.020, 0.021, 0.022}, 1, false}, {{0.5, 0.5}, 0, true}}};
  const std::string svg = DrawStrips({strip}, "steps", kWideFigure);
  EXPECT_THAT(Texts(svg), ElementsAre("simd", "22.0 ms", "20.0 ms"));
  EXPECT_EQ(Attributes(svg, "ring", "r").size(), 3u);  // one before the steady state, two disturbed
  EXPECT_THAT(svg, HasSubstr("<title>9000 ms</title>"));
}

TEST(StandaloneTest, CarriesItsColoursAndNamespace) {
  const Figure figure = MakeFigure("id", "title", "", [](double width) {
    return DrawBars({{"", {MakeBar("a", 1)}}}, "t", width);
  });
  const std::string svg = StandaloneSvg(figure);
  EXPECT_THAT(svg, testing::StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 940 "));
  EXPECT_THAT(svg, HasSubstr(".fill-own { fill: #0b746d; }"));
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(svg, Not(HasSubstr("var(")));
}

TEST(TextTest, LinesAndEllipses) {
  EXPECT_THAT(WrapText("one two three", 10, 60), ElementsAre("one two", "three"));
  EXPECT_EQ(FitText("short", 10, 100), "short");
  EXPECT_THAT(FitText(std::string(100, 'x'), 10, 60), testing::EndsWith("x…"));
}

}  // namespace
}  // namespace earshot
