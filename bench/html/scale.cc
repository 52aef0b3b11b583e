#include "bench/html/scale.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/check.h"

namespace earshot {
namespace {

// Of rounding, relative to a step: a tick on the edge belongs to the axis.
constexpr double kEdge = 1e-6;

}  // namespace

double Scale::operator()(double value) const {
  if (to == from) return (low + high) / 2;
  if (!log) return low + (value - from) / (to - from) * (high - low);
  CHECK(from > 0 && to > 0);
  return low + std::log(std::max(value, from * 1e-9) / from) / std::log(to / from) * (high - low);
}

std::vector<double> LinearTicks(double from, double to, int count) {
  CHECK(count > 0);
  if (!(to > from)) return {from};
  const double rough = (to - from) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (double factor : {5.0, 2.5, 2.0, 1.0}) {
    if (factor * power >= rough * (1 - kEdge)) step = factor * power;
  }
  std::vector<double> ticks;
  for (double i = std::ceil(from / step - kEdge); i * step <= to + kEdge * step; ++i)
    ticks.push_back(i * step + 0.0);  // no -0
  return ticks;
}

std::vector<double> LogTicks(double from, double to) {
  CHECK(from > 0 && to >= from);
  const int first = static_cast<int>(std::floor(std::log10(from))), last = static_cast<int>(std::ceil(std::log10(to)));
  const auto with = [&](std::initializer_list<double> factors) {
    std::vector<double> ticks;
    for (int power = first; power <= last; ++power) {
      for (double factor : factors) {
        const double tick = factor * std::pow(10, power);
        if (tick >= from * (1 - kEdge) && tick <= to * (1 + kEdge)) ticks.push_back(tick);
      }
    }
    return ticks;
  };
  const std::vector<double> powers = with({1});
  return powers.size() >= 3 ? powers : with({1, 2, 5});
}

std::vector<double> Ticks(const Scale& scale, int count) {
  if (!scale.log) return LinearTicks(scale.from, scale.to, count);
  const std::vector<double> ticks = LogTicks(scale.from, scale.to);
  return ticks.size() >= 2 ? ticks : LinearTicks(scale.from, scale.to, count);
}

std::string TickLabel(double value) {
  return std::abs(value) >= 1e4 && std::abs(value) < 1e12 && value == std::floor(value)
             ? CountText(static_cast<long long>(value))
             : absl::StrFormat("%.6g", value);
}

std::string TimeText(double seconds) {
  const double size = std::abs(seconds);
  if (size == 0) return "0";
  // 999.6 us would be printed with four digits.
  const bool in_us = size < 0.9995e-3, in_ms = !in_us && size < 10;
  const double value = seconds * (in_us ? 1e6 : in_ms ? 1e3 : 1), digits = std::abs(value);
  const int decimals = digits < 0.9995 ? 3 : digits < 9.995 ? 2 : digits < 99.95 ? 1 : 0;
  return absl::StrFormat("%.*f %s", decimals, value, in_us ? "µs" : in_ms ? "ms" : "s");
}

std::string RangeText(double low_seconds, double high_seconds) {
  const std::string low = TimeText(low_seconds), high = TimeText(high_seconds);
  const size_t unit = std::min(low.find(' '), low.size()), other = std::min(high.find(' '), high.size());
  return absl::StrCat(low.substr(unit) == high.substr(other) ? low.substr(0, unit) : low, " – ", high);
}

std::string RatioText(double ratio) { return absl::StrFormat("%.*f×", ratio < 9.95 ? 1 : 0, ratio); }

std::string BytesText(double bytes) {
  if (bytes >= 1e9) return absl::StrFormat("%.2f GB", bytes * 1e-9);
  if (bytes >= 1e6) return absl::StrFormat("%.1f MB", bytes * 1e-6);
  return absl::StrFormat("%.0f KB", bytes * 1e-3);
}

std::string CountText(long long count) {
  std::string digits = absl::StrCat(count);
  const int first = digits[0] == '-' ? 1 : 0;
  for (int at = static_cast<int>(digits.size()) - 3; at > first; at -= 3) digits.insert(at, ",");
  return digits;
}

}  // namespace earshot
