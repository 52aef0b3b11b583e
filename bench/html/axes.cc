#include "bench/html/axes.h"

namespace earshot {

void DrawAxes(const Axes& axes, const Frame& f, Svg* svg) {
  svg->Text({0, 13}, axes.y_label, "small muted");
  for (double tick : Ticks(f.y, 5)) {
    svg->Line({f.left, f.y(tick)}, {f.right, f.y(tick)}, "grid");
    svg->Text({f.left - 8, f.y(tick) + 4}, axes.y_is_time ? TimeText(tick) : TickLabel(tick), "small muted",
              Anchor::kEnd);
  }
  double last = -1e9;  // ticks that would run into each other stay without a number
  for (double tick : axes.x_ticks) {
    const double at = f.x(tick), half = TextWidth(TickLabel(tick), 11.5) / 2;
    svg->Line({at, f.bottom}, {at, f.bottom + 4}, "axis");
    if (at - half < last + 6) continue;
    svg->Text({at, f.bottom + 18}, TickLabel(tick), "small muted", Anchor::kMiddle);
    last = at + half;
  }
  svg->Line({f.left, f.bottom}, {f.right, f.bottom}, "axis");
  svg->Text({f.right, f.bottom + 36}, axes.x_label, "small muted", Anchor::kEnd);
}

}  // namespace earshot
