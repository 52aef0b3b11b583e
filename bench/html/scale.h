// Axes: from values to pixels, where the ticks are, and how numbers are written.
#ifndef EARSHOT_BENCH_HTML_SCALE_H_
#define EARSHOT_BENCH_HTML_SCALE_H_

#include <string>
#include <vector>

namespace earshot {

// Maps [from, to] to [low, high] (pixels; low may be the larger), by the logarithm if `log` (then from > 0).
struct Scale {
  double from = 0, to = 1, low = 0, high = 1;
  bool log = false;
  double operator()(double value) const;
};

// Multiples of 1, 2, 2.5 or 5 times a power of ten within [from, to], about `count` of them.
std::vector<double> LinearTicks(double from, double to, int count);

// Powers of ten within [from, to]; with fewer than three of these also their multiples by 2 and 5. from > 0.
std::vector<double> LogTicks(double from, double to);

// LogTicks or LinearTicks within the scale's range.
std::vector<double> Ticks(const Scale& scale, int count);

// As short as the number allows: "0.25", "1000", "1e-05".
std::string TickLabel(double value);

// Three digits that count: "0", "457 µs", "7.50 ms", "75.0 ms", "534 ms", "16.2 s", "276 s".
std::string TimeText(double seconds);

// "221 – 226 ms": the unit once where both have the same.
std::string RangeText(double low_seconds, double high_seconds);

// "1.0×" below ten, "12×" from there on.
std::string RatioText(double ratio);

// "16.0 MB": decimal.
std::string BytesText(double bytes);

// "571,520": groups of three.
std::string CountText(long long count);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_SCALE_H_
