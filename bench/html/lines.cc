#include "bench/html/lines.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "bench/html/axes.h"
#include "bench/html/scale.h"

namespace earshot {
namespace {

constexpr double kLineHeight = 15;

struct Range {
  double low = 0, high = 0;
  bool any = false;
  void Add(double value) {
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    any = true;
  }
};

void FindRanges(const LineChart& chart, Range* x, Range* y) {
  for (const Series& series : chart.series) {
    for (const std::vector<Point>* points : {&series.points, &series.low, &series.high}) {
      for (const Point& point : *points) {
        x->Add(point.first);
        y->Add(point.second);
      }
    }
  }
  if (chart.target > 0) y->Add(chart.target);
  if (chart.y_from_zero && !chart.log_y) y->Add(0);
}

Frame MakeFrame(const LineChart& chart, double width) {
  Range x, y;
  FindRanges(chart, &x, &y);
  const bool wide = width >= kWideFigure;
  double names = 0;
  for (const Series& series : chart.series) names = std::max(names, kBold * TextWidth(series.label, 13));
  Frame f;
  f.left = 62;
  f.right = width - (wide ? std::min(names + 24, 220.0) : 12);
  f.top = 26;
  f.bottom = f.top + (wide ? 300 : 230);
  const double margin = chart.log_y ? (chart.name_below ? 1.4 : 1.12) : 0.04 * (y.high - y.low);
  f.x = {x.low, x.high, f.left, f.right, chart.log_x};
  f.y = chart.log_y ? Scale{y.low / margin, y.high * margin, f.bottom, f.top, true}
                    : Scale{y.low == 0 ? 0.0 : y.low - margin, y.high + margin, f.bottom, f.top, false};
  if (f.x.from == f.x.to) f.x.to = f.x.from == 0 ? 1 : f.x.from * 2;
  return f;
}

void DrawTarget(const LineChart& chart, const Frame& f, Svg* svg) {
  if (chart.target <= 0) return;
  svg->Line({f.left, f.y(chart.target)}, {f.right, f.y(chart.target)}, "roof");
  svg->Text({f.right, f.y(chart.target) - 5}, chart.target_label, "small", Anchor::kEnd);
}

std::vector<Point> ToPixels(const Frame& f, const std::vector<Point>& points) {
  std::vector<Point> out;
  for (const Point& point : points) out.push_back({f.x(point.first), f.y(point.second)});
  return out;
}

std::string LineClass(const Series& series) {
  return absl::StrCat("line ", StrokeClass(series.family), series.dash > 0 ? absl::StrCat(" dash", series.dash) : "");
}

void DrawSeries(const Series& series, const Frame& f, Svg* svg) {
  std::vector<Point> band = ToPixels(f, series.low);
  const std::vector<Point> high = ToPixels(f, series.high);
  band.insert(band.end(), high.rbegin(), high.rend());
  if (!band.empty()) svg->Polygon(band, FillClass(series.family) + " band");
  const std::vector<Point> points = ToPixels(f, series.points);
  svg->Polyline(points, LineClass(series), series.label);
  if (points.size() <= 12) svg->Dots(points, "mark " + StrokeClass(series.family));
}

// Names at the ends of the lines, pushed apart where they would cover each other.
void NameAtEnds(const LineChart& chart, const Frame& f, Svg* svg) {
  std::vector<std::pair<double, const Series*>> ends;
  for (const Series& series : chart.series) {
    if (!series.points.empty()) ends.push_back({f.y(series.points.back().second), &series});
  }
  std::stable_sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<double> at;
  for (const auto& end : ends) at.push_back(at.empty() ? end.first : std::max(end.first, at.back() + kLineHeight));
  // What was pushed below the axis moves up again.
  double limit = f.bottom + 4;
  for (size_t i = at.size(); i-- > 0; limit = at[i] - kLineHeight) at[i] = std::min(at[i], limit);
  for (size_t i = 0; i < at.size(); ++i) {
    const Series& series = *ends[i].second;
    const double x = f.x(series.points.back().first);
    svg->Line({x + 5, ends[i].first}, {f.right + 14, at[i]}, "grid");
    svg->Text({f.right + 18, at[i] + 4}, FitText(series.label, 13 * kBold, svg->width() - f.right - 18),
              series.family == Family::kOwn ? "strong" : "");
  }
}

// Below the ends of the lines; one that would cover the name before it goes one line lower.
void NameBelowEnds(const LineChart& chart, const Frame& f, Svg* svg) {
  std::vector<std::pair<Point, const Series*>> ends;
  for (const Series& series : chart.series) {
    if (!series.points.empty()) ends.push_back({ToPixels(f, {series.points.back()})[0], &series});
  }
  std::stable_sort(ends.begin(), ends.end(),
                   [](const auto& a, const auto& b) { return a.first.first < b.first.first; });
  double taken_to = -1e9, row = 0;
  for (const auto& [end, series] : ends) {
    const double half = TextWidth(series->label, 13 * kBold) / 2;
    row = end.first - half < taken_to ? row + 1 : 0;
    taken_to = end.first + half;
    svg->Text({end.first, end.second + kLineHeight * (1 + row)}, series->label,
              series->family == Family::kOwn ? "strong" : "", Anchor::kMiddle);
  }
}

// On a narrow screen: a list below, with a piece of each line.
double NameBelow(const LineChart& chart, double y, Svg* svg) {
  for (const Series& series : chart.series) {
    svg->Polyline({{0, y}, {28, y}}, LineClass(series));
    svg->Text({36, y + 4}, FitText(series.label, 13 * kBold, svg->width() - 36),
              series.family == Family::kOwn ? "strong" : "");
    y += 20;
  }
  return y;
}

}  // namespace

std::string DrawLines(const LineChart& chart, const std::string& label, double width) {
  const Frame f = MakeFrame(chart, width);
  Svg svg(width);
  const std::vector<double> ticks = chart.x_ticks.empty() ? Ticks(f.x, f.right - f.left > 400 ? 8 : 4) : chart.x_ticks;
  DrawAxes({chart.x_label, chart.y_label, ticks, chart.y_is_time}, f, &svg);
  DrawTarget(chart, f, &svg);
  for (const Series& series : chart.series) DrawSeries(series, f, &svg);
  double height = f.bottom + 44;
  if (width >= kWideFigure && chart.name_below) {
    NameBelowEnds(chart, f, &svg);
  } else if (width >= kWideFigure) {
    NameAtEnds(chart, f, &svg);
  } else {
    height = NameBelow(chart, height + 12, &svg);
  }
  return svg.Element(height, label);
}

void SetDashes(std::vector<Series>* series) {
  std::map<Family, int> seen;
  for (Series& one : *series) one.dash = seen[one.family]++ % 5;
}

}  // namespace earshot
