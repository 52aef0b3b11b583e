#include "bench/html/roofline.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/check.h"
#include "bench/html/axes.h"
#include "bench/html/scale.h"
#include "bench/html/svg.h"

namespace earshot {
namespace {

constexpr double kLineHeight = 16;

Frame MakeFrame(const Roofline& roofline, double width) {
  const bool wide = width >= kWideFigure;
  double names = 0;
  for (const RooflinePoint& point : roofline.points) names = std::max(names, kBold * TextWidth(point.label, 13));
  Frame f;
  f.left = 50;
  f.right = width - std::min(names + 30, wide ? 260.0 : 160.0);
  f.top = 50;
  f.bottom = f.top + std::max(wide ? 340.0 : 280.0, kLineHeight * static_cast<double>(roofline.points.size()));
  const double ridge = roofline.peak_gflops / roofline.memory_gb_per_second;
  double low_x = ridge / 2, high_x = ridge * 4, low_y = roofline.peak_gflops / 4, high_y = roofline.peak_gflops;
  for (const RooflinePoint& point : roofline.points) {
    low_x = std::min(low_x, point.flops_per_byte);
    high_x = std::max(high_x, point.flops_per_byte);
    low_y = std::min(low_y, point.gflops);
    high_y = std::max(high_y, point.gflops);
  }
  f.x = {low_x / 2, high_x * 1.5, f.left, f.right, true};
  f.y = {low_y / 1.5, high_y * 1.02, f.bottom, f.top, true};
  return f;
}

void DrawRoofs(const Roofline& roofline, const Frame& f, Svg* svg) {
  const double ridge = roofline.peak_gflops / roofline.memory_gb_per_second;
  const double start =
      std::max(f.x.from, f.y.from / roofline.memory_gb_per_second);  // where the slope comes into sight
  const Point from = {f.x(start), f.y(start * roofline.memory_gb_per_second)};
  const Point top = {f.x(ridge), f.y(roofline.peak_gflops)};
  svg->Line(from, top, "roof slope");
  svg->Line(top, {f.right, top.second}, "roof peak");
  const std::string peak = absl::StrFormat("peak %.0f GFLOP/s", roofline.peak_gflops);
  svg->Text({f.right, top.second - 6}, peak, "small", Anchor::kEnd);
  // Beside that of the peak, or above it where there is no room.
  const std::string memory = absl::StrFormat("memory %.0f GB/s", roofline.memory_gb_per_second);
  const bool beside = TextWidth(memory, 11.5) + TextWidth(peak, 11.5) + 20 < f.right - f.left;
  svg->Text({f.left, top.second - (beside ? 6 : 21)}, memory, "small");
}

// Names in a column, in the order of their points' heights, at least a line apart.
void NamePoints(const Roofline& roofline, const Frame& f, Svg* svg) {
  std::vector<const RooflinePoint*> points;
  for (const RooflinePoint& point : roofline.points) points.push_back(&point);
  std::stable_sort(points.begin(), points.end(),
                   [](const RooflinePoint* a, const RooflinePoint* b) { return a->gflops > b->gflops; });
  std::vector<double> at;
  for (const RooflinePoint* point : points) {
    const double y = f.y(point->gflops);
    at.push_back(at.empty() ? y : std::max(y, at.back() + kLineHeight));
  }
  double limit = f.bottom;  // what was pushed below the axis moves up again
  for (size_t i = at.size(); i-- > 0; limit = at[i] - kLineHeight) at[i] = std::min(at[i], limit);
  for (size_t i = 0; i < at.size(); ++i) {
    const RooflinePoint& point = *points[i];
    const bool strong = !point.part && point.family == Family::kOwn;
    svg->Line({f.x(point.flops_per_byte) + 5, f.y(point.gflops)}, {f.right + 10, at[i]},
              absl::StrCat("pale ", StrokeClass(point.family)));
    svg->Text({f.right + 14, at[i] + 4}, FitText(point.label, strong ? 13 * kBold : 13, svg->width() - f.right - 14),
              strong ? "strong" : "");
  }
}

}  // namespace

bool Drawable(double value) { return value >= 1e-6 && value <= 1e9; }

std::string DrawRoofline(const Roofline& roofline, const std::string& label, double width) {
  CHECK(Drawable(roofline.peak_gflops) && Drawable(roofline.memory_gb_per_second));
  for (const RooflinePoint& point : roofline.points) CHECK(Drawable(point.flops_per_byte) && Drawable(point.gflops));
  const Frame f = MakeFrame(roofline, width);
  Svg svg(width);
  DrawAxes({"useful FLOP a byte", "GFLOP/s", Ticks(f.x, 8)}, f, &svg);
  DrawRoofs(roofline, f, &svg);
  NamePoints(roofline, f, &svg);
  for (const RooflinePoint& point : roofline.points) {
    const Point at = {f.x(point.flops_per_byte), f.y(point.gflops)};
    const std::string hint = absl::StrFormat(
        "%s: %.3g GFLOP/s at %.3g FLOP a byte, %.2g %% of its roof", point.label, point.gflops, point.flops_per_byte,
        100 * point.gflops / std::min(roofline.peak_gflops, point.flops_per_byte * roofline.memory_gb_per_second));
    if (point.part) {
      svg.Ring(at, 4.5, absl::StrCat("ring ", StrokeClass(point.family)), hint);
    } else {
      svg.Ring(at, 4.5, FillClass(point.family), hint);
    }
  }
  return svg.Element(f.bottom + 44, label);
}

}  // namespace earshot
