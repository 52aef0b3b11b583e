#include "bench/html/strips.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "bench/html/scale.h"
#include "bench/html/svg.h"

namespace earshot {
namespace {

constexpr double kHeight = 46, kRadius = 2.4, kNumbers = 72;

bool Counts(const StripBlock& block, size_t step) {
  return !block.disturbed && static_cast<int>(step) >= block.warm_up;
}

// From the fastest to the slowest step that counts (that is there at all, when none counts).
Scale StripScale(const Strip& strip, double top) {
  for (bool all : {false, true}) {
    double low = 0, high = 0;
    for (const StripBlock& block : strip.blocks) {
      for (size_t i = 0; i < block.seconds.size(); ++i) {
        if (!all && !Counts(block, i)) continue;
        low = low == 0 ? block.seconds[i] : std::min(low, block.seconds[i]);
        high = std::max(high, block.seconds[i]);
      }
    }
    if (high > 0) return {low, high, top + kHeight - 7, top + 9};
  }
  return {};
}

void DrawBlock(const StripBlock& block, Family family, double from, double to, const Scale& y, Svg* svg) {
  std::vector<Point> steady;
  for (size_t i = 0; i < block.seconds.size(); ++i) {
    const double seconds = std::min(std::max(block.seconds[i], y.from), y.to);
    const double beyond = seconds < block.seconds[i] ? 5 : 0;  // above those that count
    const Point at = {from + (to - from) * (i + 0.5) / block.seconds.size(), y(seconds) - beyond};
    if (!Counts(block, i)) {
      svg->Ring(at, kRadius, absl::StrCat("ring ", StrokeClass(family)), TimeText(block.seconds[i]));
    } else {
      steady.push_back(at);
    }
  }
  svg->Dots(steady, absl::StrCat("dots ", StrokeClass(family)));
}

void DrawStrip(const Strip& strip, double left, double top, double right, Svg* svg) {
  size_t steps = 0;
  for (const StripBlock& block : strip.blocks) steps += block.seconds.size();
  const Scale y = StripScale(strip, top);
  svg->Rect({left, top}, right - left, kHeight, "panel");
  svg->Text({right + 6, top + 11}, TimeText(y.to), "small muted");
  svg->Text({right + 6, top + kHeight - 2}, TimeText(y.from), "small muted");
  double from = left, inner = right - left;
  for (const StripBlock& block : strip.blocks) {
    const double to = from + inner * block.seconds.size() / std::max<size_t>(1, steps);
    if (from > left) svg->Line({from, top}, {from, top + kHeight}, "grid");
    DrawBlock(block, strip.family, from + 2, to - 2, y, svg);
    from = to;
  }
}

}  // namespace

std::string DrawStrips(const std::vector<Strip>& strips, const std::string& label, double width) {
  const bool wide = width >= kWideFigure;
  double names = 0;
  for (const Strip& strip : strips) names = std::max(names, kBold * TextWidth(strip.label, 13));
  const double left = wide ? std::min(names + 16, 200.0) : 0;
  Svg svg(width);
  double y = 2;
  for (const Strip& strip : strips) {
    const char* css = strip.family == Family::kOwn ? "strong" : "";
    if (wide) {
      svg.Text({left - 10, y + kHeight / 2 + 4}, FitText(strip.label, 13 * kBold, left - 10), css, Anchor::kEnd);
    } else {
      svg.Text({0, y + 12}, FitText(strip.label, 13 * kBold, width), css);
      y += 18;
    }
    DrawStrip(strip, left, y, width - kNumbers, &svg);
    y += kHeight + (wide ? 6 : 10);
  }
  return svg.Element(y, label);
}

}  // namespace earshot
