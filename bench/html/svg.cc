#include "bench/html/svg.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/utf8.h"
#include "bench/html/escape.h"

namespace earshot {
namespace {

// A coordinate: tenths of a pixel are enough.
std::string P(double value) {
  std::string text = absl::StrFormat("%.1f", value);
  if (text.size() > 2 && text.substr(text.size() - 2) == ".0") text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string Points(absl::Span<const Point> points) {
  std::string out;
  for (const Point& point : points) absl::StrAppend(&out, out.empty() ? "" : " ", P(point.first), ",", P(point.second));
  return out;
}

}  // namespace

void Svg::Shape(absl::string_view element, absl::string_view css, absl::string_view hint) {
  const absl::string_view name = element.substr(0, element.find(' '));
  absl::StrAppend(&body_, "<", element, " class=\"", css, "\"");
  absl::StrAppend(&body_, hint.empty() ? "/>" : absl::StrCat("><title>", Escape(hint), "</title></", name, ">"), "\n");
}

void Svg::Line(Point from, Point to, absl::string_view css) {
  Shape(absl::StrCat("line x1=\"", P(from.first), "\" y1=\"", P(from.second), "\" x2=\"", P(to.first), "\" y2=\"",
                     P(to.second), "\""),
        css, "");
}

void Svg::Rect(Point corner, double width, double height, absl::string_view css, absl::string_view hint) {
  Shape(absl::StrCat("rect x=\"", P(corner.first), "\" y=\"", P(corner.second), "\" width=\"", P(std::max(width, 0.0)),
                     "\" height=\"", P(height), "\""),
        css, hint);
}

void Svg::Hatch(Point corner, double width, double height, absl::string_view css) {
  constexpr double kGap = 7;
  std::string path;
  // Stripes rise to the right: at the lower edge x, at the upper one x + height.
  for (double x = -height; x < width; x += kGap) {
    const double from = std::max(x, 0.0), to = std::min(x + height, width);
    absl::StrAppend(&path, "M", P(corner.first + from), " ", P(corner.second + height - (from - x)), "L",
                    P(corner.first + to), " ", P(corner.second + height - (to - x)));
  }
  Shape(absl::StrCat("path d=\"", path, "\""), css, "");
}

void Svg::Ring(Point centre, double radius, absl::string_view css, absl::string_view hint) {
  Shape(absl::StrCat("circle cx=\"", P(centre.first), "\" cy=\"", P(centre.second), "\" r=\"", P(radius), "\""), css,
        hint);
}

void Svg::Dots(absl::Span<const Point> points, absl::string_view css) {
  std::string path;
  for (const Point& point : points) absl::StrAppend(&path, "M", P(point.first), " ", P(point.second), "h0");
  if (!path.empty()) Shape(absl::StrCat("path d=\"", path, "\""), css, "");
}

void Svg::Polyline(absl::Span<const Point> points, absl::string_view css, absl::string_view hint) {
  Shape(absl::StrCat("polyline points=\"", Points(points), "\""), css, hint);
}

void Svg::Polygon(absl::Span<const Point> points, absl::string_view css) {
  Shape(absl::StrCat("polygon points=\"", Points(points), "\""), css, "");
}

void Svg::Text(Point at, absl::string_view text, absl::string_view css, Anchor anchor) {
  absl::StrAppend(&body_, "<text x=\"", P(at.first), "\" y=\"", P(at.second), "\" class=\"", css, "\"",
                  anchor == Anchor::kStart    ? ""
                  : anchor == Anchor::kMiddle ? " text-anchor=\"middle\""
                                              : " text-anchor=\"end\"",
                  ">", Escape(text), "</text>\n");
}

std::string Svg::Element(double height, absl::string_view label) const {
  return absl::StrCat("<svg viewBox=\"0 0 ", P(width_), " ", P(height), "\" width=\"", P(width_), "\" height=\"",
                      P(height), "\" role=\"img\" aria-label=\"", Escape(label), "\">\n", body_, "</svg>\n");
}

double TextWidth(absl::string_view text, double size) {
  double ems = 0;
  while (!text.empty()) {
    const char c = text[0];
    const bool slim = absl::string_view("ijlt.,:;|!'()[]f ").find(c) != absl::string_view::npos;
    const bool broad = absl::string_view("mwMW@%<>&+=~").find(c) != absl::string_view::npos;
    ems += slim ? 0.36 : broad ? 0.93 : c >= 'A' && c <= 'Z' ? 0.7 : 0.625;
    text.remove_prefix(std::max<size_t>(1, CodePointBytes(text)));
  }
  return ems * size;
}

std::string FitText(absl::string_view text, double size, double width) {
  if (TextWidth(text, size) <= width) return std::string(text);
  std::string out;
  while (!text.empty() && TextWidth(out, size) + 1.6 * size < width) {
    const size_t bytes = std::max<size_t>(1, CodePointBytes(text));
    out.append(text.data(), bytes);
    text.remove_prefix(bytes);
  }
  return out + "…";
}

std::vector<std::string> WrapText(absl::string_view text, double size, double width) {
  std::vector<std::string> lines;
  for (absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const std::string longer = lines.empty() ? "" : absl::StrCat(lines.back(), " ", word);
    if (lines.empty() || TextWidth(longer, size) > width) {
      lines.push_back(FitText(word, size, width));
    } else {
      lines.back() = longer;
    }
  }
  return lines;
}

Figure MakeFigure(absl::string_view id, absl::string_view title, absl::string_view caption,
                  absl::FunctionRef<std::string(double width)> draw) {
  return {std::string(id), std::string(title), std::string(caption), draw(kWideFigure), draw(kNarrowFigure)};
}

}  // namespace earshot
