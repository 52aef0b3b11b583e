#include "bench/html/series_charts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/html/escape.h"
#include "bench/html/lines.h"
#include "bench/html/scale.h"
#include "bench/html/table.h"
#include "bench/stats.h"
#include "bench/training_curve.h"

namespace earshot {
namespace {

std::vector<std::string> Names(const BenchReport& report) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const BenchRow& row : report.rows()) add(row.implementation());
  for (const TrainingCurve& curve : report.curves()) add(curve.implementation());
  return names;
}

// Whether a logarithm shows more: the largest is more than eight times the smallest.
bool Wide(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low > 0 && *high > 8 * *low;
}

// A line a row over the axis; `value` of a row is its height.
LineChart SweepLines(const BenchReport& report, double (*value)(const BenchRow&)) {
  LineChart chart;
  chart.x_label = report.config().axis();
  std::vector<double> xs, ys;
  for (const std::string& name : Names(report)) {
    Series series{name, FamilyOf(name), 0, {}, {}, {}};
    for (const BenchRow& row : report.rows()) {
      if (row.implementation() != name || !Timed(row) || !(value(row) > 0)) continue;
      series.points.push_back({row.at(), value(row)});
      xs.push_back(row.at());
      ys.push_back(value(row));
    }
    std::sort(series.points.begin(), series.points.end());
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) return chart;
  chart.log_x = Wide(xs);
  chart.log_y = Wide(ys);
  chart.y_from_zero = !chart.log_y;
  std::sort(xs.begin(), xs.end());
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  if (xs.size() <= 12) chart.x_ticks = xs;
  SetDashes(&chart.series);
  return chart;
}

Figure SweepFigure(const Record& record, const char* suffix, const std::string& what, const LineChart& chart) {
  if (chart.series.empty()) return {};
  const std::string title =
      absl::StrCat(what, " over ", record.report.config().axis(), ", ", record.report.config().name());
  return MakeFigure(record.anchor + suffix, title,
                    absl::StrCat(chart.log_y ? "Logarithmic upwards. " : "",
                                 "Medians; a point that is missing was wrong or "
                                 "not measured."),
                    [&](double width) { return DrawLines(chart, title, width); });
}

using Curves = std::vector<const TrainingCurve*>;

Curves CurvesOf(const BenchReport& report, const std::string& name) {
  Curves curves;
  for (const TrainingCurve& curve : report.curves()) {
    if (curve.implementation() == name && curve.epoch_size() > 0) curves.push_back(&curve);
  }
  return curves;
}

// Adds the point at `x`: median, lowest and highest of the errors there.
void AddPoint(double x, const std::vector<double>& errors, Series* series) {
  if (errors.empty()) return;
  const auto [low, high] = std::minmax_element(errors.begin(), errors.end());
  series->points.push_back({x, Quantile(errors, 0.5)});
  series->low.push_back({x, *low});
  series->high.push_back({x, *high});
}

Series EpochSeries(const Curves& curves) {
  Series series;
  size_t epochs = 0;
  for (const TrainingCurve* curve : curves) epochs = std::max<size_t>(epochs, curve->epoch_size());
  for (size_t i = 0; i < epochs; ++i) {
    std::vector<double> errors;
    for (const TrainingCurve* curve : curves) {
      if (static_cast<int>(i) < curve->epoch_size()) errors.push_back(curve->epoch(i).dev_error());
    }
    AddPoint(i + 1.0, errors, &series);
  }
  return series;
}

// The error at a time: on the line between the epochs before and after it; the last one's behind the last.
double ErrorAt(const TrainingCurve& curve, double seconds) {
  for (int i = 0; i + 1 < curve.epoch_size(); ++i) {
    const TrainingCurve::Epoch &before = curve.epoch(i), &after = curve.epoch(i + 1);
    if (seconds > after.seconds() || !(after.seconds() > before.seconds())) continue;
    const double part = (seconds - before.seconds()) / (after.seconds() - before.seconds());
    return before.dev_error() + std::max(0.0, part) * (after.dev_error() - before.dev_error());
  }
  return curve.epoch(curve.epoch_size() - 1).dev_error();
}

Series SecondSeries(const Curves& curves) {
  Series series;
  std::vector<double> times;
  double from = 0;  // from when on every seed has an error
  for (const TrainingCurve* curve : curves) {
    from = std::max(from, curve->epoch(0).seconds());
    for (const TrainingCurve::Epoch& epoch : curve->epoch()) times.push_back(epoch.seconds());
  }
  std::sort(times.begin(), times.end());
  for (double time : times) {
    std::vector<double> errors;
    for (const TrainingCurve* curve : curves) errors.push_back(ErrorAt(*curve, time));
    if (time >= from) AddPoint(time, errors, &series);
  }
  return series;
}

Figure CurveFigure(const Record& record, bool seconds) {
  LineChart chart;
  std::vector<double> ys;
  for (const std::string& name : Names(record.report)) {
    const Curves curves = CurvesOf(record.report, name);
    if (curves.empty()) continue;
    Series series = seconds ? SecondSeries(curves) : EpochSeries(curves);
    series.label = name;
    series.family = FamilyOf(name);
    for (const Point& point : series.low) ys.push_back(point.second);
    chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) return {};
  SetDashes(&chart.series);
  chart.x_label = seconds ? "seconds of training" : "epochs";
  chart.name_below = seconds;
  if (!seconds) {
    double epochs = 1;
    for (const Series& series : chart.series) epochs = std::max(epochs, series.points.back().first);
    for (double tick : LinearTicks(1, epochs, 8)) {
      if (tick == std::floor(tick)) chart.x_ticks.push_back(tick);
    }
  }
  chart.y_label = "dev error, %";
  chart.log_y = Wide(ys);
  chart.y_from_zero = true;
  if (record.report.target_error() > 0) {
    chart.target = record.report.target_error();
    chart.target_label = absl::StrFormat("target %.3g %%", chart.target);
  }
  const std::string title =
      absl::StrCat("Error over ", seconds ? "seconds" : "epochs", ", ", record.report.config().name());
  return MakeFigure(record.anchor + (seconds ? "_error_per_second" : "_error_per_epoch"), title,
                    seconds ? "The same runs over time, with straight lines from epoch to epoch."
                            : "The median of the seeds; the band goes from the lowest to the highest.",
                    [&](double width) { return DrawLines(chart, title, width); });
}

}  // namespace

Figure SweepChart(const Record& record) {
  LineChart chart = SweepLines(record.report, [](const BenchRow& row) { return row.median_seconds(); });
  chart.y_label = "time of a step";
  chart.y_is_time = true;
  return SweepFigure(record, "_sweep", "Time of a step", chart);
}

Figure SweepFrameChart(const Record& record) {
  LineChart chart =
      SweepLines(record.report, [](const BenchRow& row) { return row.microseconds_per_valid_frame() * 1e-6; });
  chart.y_label = "time of a valid frame";
  chart.y_is_time = true;
  return SweepFigure(record, "_sweep_frame", "Time of a valid frame", chart);
}

Figure ErrorPerEpochChart(const Record& record) { return CurveFigure(record, /*seconds=*/false); }
Figure ErrorPerSecondChart(const Record& record) { return CurveFigure(record, /*seconds=*/true); }

std::string CurveTable(const BenchReport& report) {
  const std::vector<CurveSummary> summaries = SummarizeCurves(report);
  if (summaries.empty()) return "";
  HtmlTable table(
      "p: Welch's t-test of the seeds' test errors against the first row's; a small one says that the rows do not "
      "converge alike.");
  table.AddColumn("row", Column::kText);
  for (const char* title :
       {"seeds", "epochs, at most", "reached the target", "seconds to it, median", "test error, mean ± sd", "p"}) {
    table.AddColumn(title, Column::kNumber);
  }
  for (const CurveSummary& one : summaries) {
    table.AddRow({Escape(one.implementation), absl::StrCat(one.seeds), TickLabel(one.epochs),
                  absl::StrCat(one.reached, " of ", one.seeds),
                  one.reached > 0 ? absl::StrFormat("%.1f", one.median_seconds_to_target) : "never",
                  absl::StrFormat("%.2f ± %.2f %%", one.mean_test_error, one.sd_test_error),
                  &one == &summaries[0] ? "" : absl::StrFormat("%.2g", SameErrorP(summaries[0], one))});
  }
  return table.Html();
}

}  // namespace earshot
