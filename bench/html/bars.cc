#include "bench/html/bars.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "bench/html/scale.h"
#include "bench/html/svg.h"

namespace earshot {
namespace {

constexpr double kTextSize = 13, kBarHeight = 16;

// Our own rows' names are bold, and so broader.
double Weight(const Bar& bar) { return bar.family == Family::kOwn ? kBold : 1; }

std::string Numbers(const Bar& bar) {
  std::string text = TimeText(bar.seconds);
  if (bar.ratio > 0) absl::StrAppend(&text, " ::: ", RatioText(bar.ratio));
  return text;
}

double PanelEnd(const BarPanel& panel) {
  double shortest = 0, longest = 0;
  for (const Bar& bar : panel.bars) {
    if (shortest == 0 || bar.seconds < shortest) shortest = bar.seconds;
    longest = std::max({longest, bar.seconds, bar.high});
  }
  return std::min(longest, kLongestBar * shortest);
}

// Wide: the labels stand in a column left of the bars. Narrow: above them.
struct Layout {
  double left, row, bar_top, right;
};
Layout LayoutOf(const std::vector<BarPanel>& panels, double width) {
  double labels = 0, numbers = 0;
  for (const BarPanel& panel : panels) {
    for (const Bar& bar : panel.bars) {
      labels = std::max(labels, TextWidth(bar.label, kTextSize * Weight(bar)));
      const double note = bar.note.empty() || width < kWideFigure ? 0 : TextWidth(bar.note, 11.5) + 10;
      const bool long_bar = bar.seconds > 0.6 * PanelEnd(panel);  // the text of others stands beside their end
      numbers = std::max(numbers, TextWidth(Numbers(bar), kTextSize) + (long_bar ? note : 0));
    }
  }
  if (width < kWideFigure) return {0, 43, 18, width - numbers - 10};
  const double left = std::min(labels + 16, 320.0);
  return {left, 25, 3, std::max(left + 200, width - numbers - 22)};
}

void DrawBar(const Bar& bar, const Layout& layout, double top, double end, double width, Svg* svg) {
  const bool wide = layout.left > 0;
  const Scale x{0, end, layout.left, layout.right};
  const bool cut = bar.seconds > end;
  const double y = top + layout.bar_top, length = std::max(1.0, x(std::min(bar.seconds, end)) - layout.left);
  const double baseline = y + kBarHeight - 3.5;
  const std::string pale = bar.pale ? " pale" : "";
  if (wide) {
    svg->Text({layout.left - 10, baseline}, FitText(bar.label, kTextSize * Weight(bar), layout.left - 10),
              bar.family == Family::kOwn ? "strong" : "", Anchor::kEnd);
  } else {
    const double room = width - (bar.note.empty() ? 0 : TextWidth(bar.note, 11.5) + 12);
    svg->Text({0, top + 13}, FitText(bar.label, kTextSize * Weight(bar), room),
              bar.family == Family::kOwn ? "strong" : "");
  }
  svg->Rect({layout.left, y}, length, kBarHeight, FillClass(bar.family) + pale, bar.hint);
  if (bar.scaled) svg->Hatch({layout.left, y}, length, kBarHeight, "hatch");
  if (cut) {  // a slanted gap
    const double at = layout.left + length * .86;
    svg->Polygon({{at, y - 2}, {at + 6, y - 2}, {at - 2, y + kBarHeight + 2}, {at - 8, y + kBarHeight + 2}}, "break");
  }
  double text_from = layout.left + length;
  if (bar.high > bar.low && !cut) {
    const double low = x(bar.low), high = std::min(x(bar.high), layout.right + 8), middle = y + kBarHeight / 2;
    svg->Line({low, middle}, {high, middle}, "whisker");
    for (double at : {low, high}) svg->Line({at, middle - 4}, {at, middle + 4}, "whisker");
    text_from = std::max(text_from, high);
  }
  svg->Text({text_from + 8, baseline}, Numbers(bar), bar.pale ? "muted" : "");
  if (bar.note.empty()) return;
  const double after = text_from + 8 + TextWidth(Numbers(bar), kTextSize) + 10;
  if (wide) {
    svg->Text({after, baseline}, FitText(bar.note, 11.5, width - after), "small muted");
  } else {
    svg->Text({width, top + 13}, bar.note, "small muted", Anchor::kEnd);
  }
}

}  // namespace

std::string DrawBars(const std::vector<BarPanel>& panels, const std::string& label, double width) {
  const Layout layout = LayoutOf(panels, width);
  Svg svg(width);
  double y = 4;
  for (const BarPanel& panel : panels) {
    if (panel.bars.empty()) continue;
    if (!panel.title.empty()) {
      if (y > 4) {
        svg.Line({0, y + 12}, {width, y + 12}, "grid");
        y += 14;
      }
      for (const std::string& line : WrapText(panel.title, panel.names_row ? kTextSize * kBold : 11.5, width)) {
        svg.Text({0, y + 16}, line, panel.names_row ? "strong" : "small muted");
        y += 16;
      }
      y += 10;
    }
    const double end = PanelEnd(panel), top = y;
    for (const Bar& bar : panel.bars) {
      DrawBar(bar, layout, y, end, width, &svg);
      y += layout.row;
    }
    if (layout.left > 0) svg.Line({layout.left - .5, top}, {layout.left - .5, y - 2}, "axis");
  }
  return svg.Element(y + 4, label);
}

void RankBars(std::vector<Bar>* bars) {
  std::stable_sort(bars->begin(), bars->end(), [](const Bar& a, const Bar& b) { return a.seconds < b.seconds; });
  const auto fastest = std::find_if(bars->begin(), bars->end(), [](const Bar& bar) { return !bar.pale; });
  if (fastest == bars->end()) return;
  const double best = fastest->seconds;
  for (Bar& bar : *bars) {
    if (!bar.pale) bar.ratio = bar.seconds / best;
  }
}

}  // namespace earshot
