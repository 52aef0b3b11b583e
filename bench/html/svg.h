// A drawing as SVG. Colours are classes of the page's style sheet (style.h), so that one drawing serves light and dark.
#ifndef EARSHOT_BENCH_HTML_SVG_H_
#define EARSHOT_BENCH_HTML_SVG_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace earshot {

using Point = std::pair<double, double>;

enum class Anchor { kStart, kMiddle, kEnd };

// Coordinates are pixels, the origin is the left upper corner. `css` is a list of classes. `hint`, when not empty, is
// what a pointer over the shape shows. All texts are escaped.
class Svg {
 public:
  explicit Svg(double width) : width_(width) {}

  void Line(Point from, Point to, absl::string_view css);
  void Rect(Point corner, double width, double height, absl::string_view css, absl::string_view hint = "");
  // Oblique stripes over a rectangle, inside of it.
  void Hatch(Point corner, double width, double height, absl::string_view css);
  void Ring(Point centre, double radius, absl::string_view css, absl::string_view hint = "");
  // Dots as one shape; their size and colour are those of the class's stroke.
  void Dots(absl::Span<const Point> points, absl::string_view css);
  void Polyline(absl::Span<const Point> points, absl::string_view css, absl::string_view hint = "");
  void Polygon(absl::Span<const Point> points, absl::string_view css);
  void Text(Point at, absl::string_view text, absl::string_view css, Anchor anchor = Anchor::kStart);

  double width() const { return width_; }
  // The whole element; `label` is what screen readers say. Fails no matter what was drawn: the caller knows the height.
  std::string Element(double height, absl::string_view label) const;

 private:
  void Shape(absl::string_view element, absl::string_view css, absl::string_view hint);

  double width_;
  std::string body_;
};

// Pixels that `text` takes at `size` pixels in a broad sans-serif font (DejaVu), roughly; others are narrower.
double TextWidth(absl::string_view text, double size);

constexpr double kBold = 1.12;  // how much broader bold text is

// `text`, shortened with an ellipsis to fit into `width`.
std::string FitText(absl::string_view text, double size, double width);

// `text` in lines that fit into `width`, broken at spaces; a word that is too long is shortened.
std::vector<std::string> WrapText(absl::string_view text, double size, double width);

// A drawing for a wide screen and one for a narrow one (a phone), of the same content.
struct Figure {
  std::string id;  // unique on the page; the name of its file
  std::string title;
  std::string caption;  // HTML
  std::string wide, narrow;
};
constexpr double kWideFigure = 940, kNarrowFigure = 350;

// `draw` returns the element for a width.
Figure MakeFigure(absl::string_view id, absl::string_view title, absl::string_view caption,
                  absl::FunctionRef<std::string(double width)> draw);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_SVG_H_
