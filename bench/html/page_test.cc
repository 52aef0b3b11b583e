// The page from the reports in bench/testdata (make_reports.py).
#include "bench/html/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "bench/html/testing/test_records.h"

namespace earshot {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The values of an attribute, in their order.
std::vector<std::string> Attributes(const std::string& html, const std::string& name) {
  std::vector<std::string> values;
  const std::string start = absl::StrCat(" ", name, "=\"");
  for (size_t at = html.find(start); at != std::string::npos; at = html.find(start, at + 1)) {
    const size_t from = at + start.size();
    values.push_back(html.substr(from, html.find('"', from) - from));
  }
  return values;
}

// The elements that are open when the text ends or a wrong one closes; "" when every element is closed in its order.
std::string Unbalanced(const std::string& html) {
  std::vector<std::string> open;
  for (size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const size_t end = html.find('>', at);
    std::string tag = html.substr(at + 1, end - at - 1);
    if (tag[0] == '!' || tag.back() == '/') continue;
    const bool closes = tag[0] == '/';
    tag = tag.substr(closes, tag.find(' ') - closes);
    if (tag == "meta" || tag == "link" || tag == "br") continue;
    if (!closes) {
      open.push_back(tag);
    } else if (open.empty() || open.back() != tag) {
      return absl::StrCat("</", tag, "> at byte ", at);
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

TEST(PageTest, EveryElementIsClosedAndEveryLinkHasItsTarget) {
  const Page page = Render(Read(AllNames()));
  EXPECT_EQ(Unbalanced(page.html), "");
  const std::vector<std::string> ids = Attributes(page.html, "id");
  const std::set<std::string> unique(ids.begin(), ids.end());
  EXPECT_EQ(ids.size(), unique.size());
  for (const std::string& link : Attributes(page.html, "href")) {
    EXPECT_TRUE(!absl::StartsWith(link, "#") || unique.count(link.substr(1)) == 1) << link;
  }
}

TEST(PageTest, NeedsNothingElse) {
  const std::string html = Render(Read(AllNames())).html;
  EXPECT_THAT(html, AllOf(Not(HasSubstr("<script")), Not(HasSubstr(" src=")), Not(HasSubstr("url(")),
                          Not(HasSubstr("@import"))));
  for (const std::string& link : Attributes(html, "href")) {
    EXPECT_TRUE(absl::StartsWith(link, "#") || link == "data:,") << link;
  }
}

TEST(PageTest, NamesInARecordAreNeverMarkup) {
  const Page page = Render(Read({"hostile", "ce_long"}));
  EXPECT_EQ(Unbalanced(page.html), "");
  EXPECT_THAT(page.html,
              AllOf(Not(HasSubstr("<script")), Not(HasSubstr("<b>here")), HasSubstr("&lt;script&gt;alert(1)"),
                    HasSubstr("mxnet &lt;b&gt;here&lt;/b&gt; &amp; now"), Not(HasSubstr("\u202e"))));
  for (const Figure& figure : page.figures)
    EXPECT_EQ(figure.id.find_first_of("/.<\"&:"), std::string::npos) << figure.id;
}

TEST(PageTest, EachRecordHasItsFigures) {
  const Page page = Render(Read(AllNames()));
  std::set<std::string> ids;
  for (const Figure& figure : page.figures) ids.insert(figure.id);
  for (const char* id :
       {"lstm_ce_long_frameworks", "lstm_ce_long_2_frameworks", "lstm_ce_long_2_phases", "lstm_ce_long_2_speeds",
        "lstm_ce_long_2_roofline", "lstm_ce_long_2_steps", "lstm_ctc_frameworks", "lstm_batch_sweep",
        "lstm_batch_sweep_frame", "ctc_loss_frameworks", "time_to_accuracy_error_per_epoch",
        "time_to_accuracy_error_per_second", "B_C2_versions", "B_C4_versions"}) {
    EXPECT_EQ(ids.count(id), 1u) << id;
  }
  EXPECT_EQ(ids.size(), page.figures.size());
  EXPECT_EQ(ids.count("lstm_ce_long_roofline"), 0u);  // a record from before bandwidths were measured
}

// The figure's part of the page, tags removed, a line a text.
std::string FigureText(const Page& page, const std::string& id) {
  const auto figure =
      std::find_if(page.figures.begin(), page.figures.end(), [&](const Figure& f) { return f.id == id; });
  if (figure == page.figures.end()) return "";
  std::string text;
  bool tag = false;
  for (char c : figure->wide) {
    if (c == '<') tag = true;
    if (!tag) text += c;
    if (c == '>') tag = false;
  }
  return text;
}

TEST(PageTest, FrameworkChartIsSortedAndKeepsWorksApart) {
  const Page page = Render(Read({"ce_long"}));
  const std::string text = FigureText(page, "lstm_ce_long_frameworks");
  const std::vector<std::string> order = {
      "simd",         "onednn",        "blas",         "fused_cell", "torch:compile",        "torch:packed",
      "tf:keras",     "pytensor:scan", "torch1:basic", "reference",  "Braun 2018: GTX 1080", "TF cuDNN 1.8.0",
      "Keras-TF LSTM"};
  for (size_t i = 1; i < order.size(); ++i) {
    ASSERT_NE(text.find("\n" + order[i]), std::string::npos) << order[i];
    EXPECT_LT(text.find("\n" + order[i - 1]), text.find("\n" + order[i])) << order[i];
  }
  EXPECT_THAT(text, AllOf(HasSubstr("209 ms ::: 1.0×"), HasSubstr("543 ms ::: 7.2×"), HasSubstr("not compared"),
                          HasSubstr("another function"), HasSubstr("from 3,200 frames")));
  EXPECT_THAT(text, AllOf(Not(HasSubstr("tf:block_cell")), Not(HasSubstr("mxnet"))));  // wrong and absent
  EXPECT_THAT(page.html, AllOf(HasSubstr("wrong: loss of utterance 3 is 2.41, expected 2.3026"), HasSubstr("Not here:"),
                               HasSubstr("not compared: other work: 602240 multiply-adds a frame, simd 571520")));
}

TEST(PageTest, RooflineHasPhasesOfTheFastestRowAndWholeSteps) {
  const Page page = Render(Read({"ce_long"}));
  const std::string text = FigureText(page, "lstm_ce_long_roofline");
  // 103.7 GFLOP in 1.20 GB; the recurrence alone 26.2 in 0.411: 63.7 a byte.
  for (const char* part : {"\npeak 580 GFLOP/s", "\nmemory 92 GB/s", "\ninput GEMM", "\nrecurrent backward", "\nsimd",
                           "\nonednn", "\ntorch:lstm", "\njax:scan", "recurrence: 480 GFLOP/s at 63.7 FLOP a byte"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  // Another function, other work, wrong, absent; and phases without products, which the caption has.
  for (const char* none : {"pytensor:scan", "torch:compile", "tf:block_cell", "mxnet", "optimizer"}) {
    EXPECT_THAT(text, Not(HasSubstr(none)));
  }
  EXPECT_THAT(page.html, HasSubstr("clip 2.29 MB at"));
}

TEST(PageTest, BeginsWithTheFastestOfEach) {
  const std::string html = Render(Read({"ce_long", "ctc", "curves"})).html;
  const size_t from = html.find("At a glance"), row = html.find("lstm_ctc</a>", from);
  ASSERT_NE(row, std::string::npos);
  const std::string cells = html.substr(row, html.find("</tr>", row) - row);
  EXPECT_THAT(cells, AllOf(HasSubstr("disturbed"), HasSubstr(">simd</td>"), HasSubstr("2463 ms"), HasSubstr("85 %"),
                           HasSubstr("torch:packed"), HasSubstr("2.17× the time of simd: slower (p 0.0079)")));
}

TEST(PageTest, WhatIsLeftOutOfASweepIsSaidOnce) {
  const BenchReport report = Parse(R"(config { name: "s" axis: "batch" }
    rows { implementation: "simd" at: 1 verified: true median_seconds: 1 }
    rows { implementation: "jax:scan" at: 1 peer { absent: "no jax" } }
    rows { implementation: "jax:scan" at: 2 peer { absent: "no jax" } }
    rows { implementation: "blas" at: 2 problem: "loss is 3" }
    rows { implementation: "onednn" at: 1 verified: true median_seconds: 1 }
    comparisons { row: "simd" other: "onednn" at: 1 verdict: REFUSED reason: "disturbed" })");
  const std::string html = Render(Records({MakeRecord("s", report)})).html;
  EXPECT_THAT(html, AllOf(HasSubstr(">jax:scan (no jax)</span>"),
                          HasSubstr("<b>blas at 2</b> <span class=\"bad\">wrong: loss is 3"),
                          HasSubstr("<b>simd and onednn at 1</b> <span class=\"\">not compared: disturbed")));
}

TEST(PageTest, DerivedTableHasWhatARowSays) {
  const std::string html = Render(Read({"ctc"})).html;
  const size_t row = html.find("<th role=\"rowheader\" scope=\"row\">torch:packed</th>");
  ASSERT_NE(row, std::string::npos);
  const std::string cells = html.substr(row, html.find("</tr>", row) - row);
  EXPECT_THAT(cells, AllOf(HasSubstr("5340 ms"), HasSubstr("20 in 5"), HasSubstr("39.2 %"), HasSubstr("222.7"),
                           HasSubstr("2.17× (2.14 to 2.19), slower, p 0.0079")));
  EXPECT_THAT(html, AllOf(HasSubstr("23,985 valid frames"), HasSubstr("25 % of a padded batch"),
                          HasSubstr("8,554,880 parameters")));
  EXPECT_THAT(html, HasSubstr("<b>Disturbed:</b>"));
  BenchReport report = Parse(R"(config { name: "x" } rows { implementation: "simd" verified: true median_seconds: 2 }
    rows { implementation: "torch:lstm" verified: true median_seconds: 1 peer { beside: "blas" } }
    rows { implementation: "jax:scan" verified: true median_seconds: 3 peer {} }
    rows { implementation: "blas" verified: true median_seconds: 4 }
    comparisons { row: "simd" other: "blas" ratio: 0.5 verdict: FASTER p_value: 0.0079 })");
  const std::string against = Render(Records({MakeRecord("x", report)})).html;
  EXPECT_THAT(against,
              AllOf(HasSubstr("0.50× of blas, faster, p 0.0079"), HasSubstr("3.00× by the medians; not tested")));
  EXPECT_THAT(Render(Read({"ce_long"})).html, Not(HasSubstr("<b>Disturbed:</b>")));
}

// Whatever CheckReport lets through is drawn, with coordinates that are numbers.
TEST(PageTest, OddReportsAreDrawnToo) {
  const std::vector<std::string> reports = {
      "config { name: 'empty' }",
      "config { name: 'names' } rows { implementation: ':' } rows { implementation: 'x:' peer {} }",
      "config { name: 'extreme' } peak_gflops: 1e-300 memory_gb_per_second: 1e300 rows { implementation: 'small' "
      "verified: true median_seconds: "
      "1e-300 "
      "n: 1 phases { key: 'loss' value: 0 } } rows { implementation: 'large' verified: true median_seconds: 1e300 n: 1 "
      "p90_seconds: 1e300 high_seconds: 1e300 phases { key: 'recurrence' value: 1e300 } remainder_seconds: -1 "
      "blocks { step_seconds: [ 1e-300, 1e300 ] warm_up: 2 } blocks {} }",
      "config { name: 'roof' } peak_gflops: 1e9 memory_gb_per_second: 1e-6 rows { implementation: 'a' verified: true "
      "median_seconds: 1e-300 useful_gflop: 1e-9 n: 1 phases { key: 'recurrence' value: 1e-300 } } rows { "
      "implementation: 'b' verified: true median_seconds: 1 useful_gflop: 1e9 n: 1 }",
      "config { name: 'point' axis: 'x' } rows { implementation: 'simd' verified: true median_seconds: 1 at: 0 "
      "valid_frames: 1 microseconds_per_valid_frame: 1 } comparisons { row: 'simd' other: 'simd' }",
      "config { name: 'below' axis: 'x' } rows { implementation: 'simd' verified: true median_seconds: 1 at: -5 } "
      "rows { implementation: 'simd' verified: true median_seconds: 100 at: 5 }",
      "config { name: 'curves' } target_error: 1e-9 curves { implementation: 'simd' epoch { seconds: 0 dev_error: 0 } "
      "} "
      "curves { implementation: 'simd' } curves { implementation: 'blas' epoch { seconds: 5 dev_error: 50 } epoch { "
      "seconds: "
      "5 dev_error: 40 } epoch { seconds: 4 dev_error: 0 } }"};
  std::vector<Record> all;
  for (const std::string& text : reports) all.push_back(MakeRecord("file", Parse(text)));
  const Page page = Render(Records(std::move(all)));
  EXPECT_EQ(Unbalanced(page.html), "");
  for (const Figure& figure : page.figures) {
    for (const std::string& svg : {figure.wide, figure.narrow}) {
      for (const char* name : {"x", "y", "width", "x1", "y2", "points", "d", "height", "viewBox"}) {
        for (const std::string& value : Attributes(svg, name)) {
          EXPECT_EQ(value.find_first_of("ni"), std::string::npos) << figure.id << ": " << name << " " << value;
        }
      }
    }
  }
}

}  // namespace
}  // namespace earshot
