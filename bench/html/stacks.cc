#include "bench/html/stacks.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "base/phase_timer.h"
#include "bench/html/scale.h"
#include "bench/html/svg.h"

namespace earshot {
namespace {

constexpr double kBarHeight = 20;

// Forward products green, backward ones blue, output and loss ochre, the rest grey.
std::string PhaseClass(const std::string& phase) {
  const std::pair<Phase, const char*> kClasses[] = {{Phase::kInputGemm, "fill-p2"},
                                                    {Phase::kRecurrence, "fill-p1"},
                                                    {Phase::kRecurrentBackward, "fill-p3"},
                                                    {Phase::kWeightGradients, "fill-p4"},
                                                    {Phase::kOutputLayer, "fill-p6"},
                                                    {Phase::kLoss, "fill-p5"},
                                                    {Phase::kCopy, "fill-p7"},
                                                    {Phase::kClip, "fill-p9"},
                                                    {Phase::kOptimizer, "fill-p8"}};
  for (const auto& [known, css] : kClasses) {
    if (phase == PhaseName(known)) return css;
  }
  return "fill-other";
}

// Of text on such a bar: the colours with even numbers and the ninth are the pale ones.
const char* OnBar(const std::string& css) {
  return (css.back() - '0') % 2 == 0 || css.back() == '9' ? "on-pale" : "on-bar";
}

double Total(const Stack& stack) {
  double total = stack.remainder_seconds;
  for (const StackPart& part : stack.parts) total += part.seconds;
  return total;
}

// Returns the height of the key.
double DrawKey(const std::vector<Stack>& stacks, double width, Svg* svg) {
  std::vector<std::string> phases;
  for (const Stack& stack : stacks) {
    for (const StackPart& part : stack.parts) {
      if (std::find(phases.begin(), phases.end(), part.phase) == phases.end()) phases.push_back(part.phase);
    }
  }
  double x = 0, y = 12;
  const auto entry = [&](const std::string& name, const std::string& css) {
    const double needs = std::min(17 + TextWidth(name, 12.5) + 14, width);
    if (x > 0 && x + needs > width) {
      x = 0;
      y += 19;
    }
    svg->Rect({x, y - 9}, 11, 11, css);
    svg->Text({x + 16, y + 1}, FitText(name, 12.5, width - 20), "small");
    x += needs;
  };
  for (const std::string& phase : phases) entry(PhaseLabel(phase), PhaseClass(phase));
  entry("remainder", "remainder");
  return y + 18;
}

void DrawStack(const Stack& stack, double left, double right, double y, Svg* svg) {
  const double total = Total(stack);
  double x = left;
  const auto part = [&](const std::string& name, double seconds, const std::string& css) {
    const double share = seconds / total, length = share * (right - left);
    svg->Rect({x, y}, length, kBarHeight, css,
              absl::StrFormat("%s: %s, %.1f %% of the step", name, TimeText(seconds), 100 * share));
    const std::string text = absl::StrFormat("%.0f %%", 100 * share);
    if (length > TextWidth(text, 11) + 8) svg->Text({x + length / 2, y + 14}, text, OnBar(css), Anchor::kMiddle);
    x += length;
  };
  for (const StackPart& one : stack.parts) part(PhaseLabel(one.phase), one.seconds, PhaseClass(one.phase));
  // At least two pixels, or nobody would see whether something is missing.
  const double remainder = std::max(stack.remainder_seconds, 2 * total / (right - left));
  x = std::min(x, right - 2);
  svg->Rect({x, y}, std::max(0.0, remainder / total * (right - left)), kBarHeight, "remainder",
            absl::StrFormat("remainder: %s", TimeText(stack.remainder_seconds)));
}

}  // namespace

std::string PhaseLabel(const std::string& phase) {
  return absl::StrReplaceAll(phase, {{"_", " "}, {"gemm", "GEMM"}, {"optimizer", "optimiser"}});
}

std::string DrawStacks(const std::vector<Stack>& stacks, const std::string& label, double width) {
  const bool wide = width >= kWideFigure;
  double names = 0;
  for (const Stack& stack : stacks) names = std::max(names, std::min(kBold * TextWidth(stack.label, 13), 220.0));
  const double left = wide ? names + 16 : 0, right = wide ? width - 190 : width;
  Svg svg(width);
  double y = DrawKey(stacks, width, &svg);
  for (const Stack& stack : stacks) {
    const double total = Total(stack);
    std::string numbers =
        absl::StrFormat("%s; remainder %.2f %%", TimeText(total), 100 * stack.remainder_seconds / total);
    if (wide) {
      svg.Text({left - 10, y + 14.5}, FitText(stack.label, 13 * kBold, left - 10), "strong", Anchor::kEnd);
      svg.Text({right + 10, y + 14.5}, numbers, "small muted");
    } else {
      svg.Text({0, y + 12}, FitText(stack.label, 13 * kBold, width - 190), "strong");
      svg.Text({width, y + 12}, numbers, "small muted", Anchor::kEnd);
      y += 18;
    }
    DrawStack(stack, left, right, y, &svg);
    y += kBarHeight + 9;
  }
  return svg.Element(y, label);
}

std::string DrawSpeeds(const std::vector<PhaseSpeed>& phases, double peak_gflops, const std::string& label,
                       double width) {
  const bool wide = width >= kWideFigure;
  const double left = wide ? 160 : 0, right = wide ? width - 300 : width - 4;
  const Scale x{0, peak_gflops, left, right};
  Svg svg(width);
  svg.Text({right, 12}, absl::StrFormat("roof: %.0f GFLOP/s", peak_gflops), "small muted", Anchor::kEnd);
  double y = 22;
  for (const PhaseSpeed& phase : phases) {
    const double gflops = phase.gflop / phase.seconds;
    const std::string speed = absl::StrFormat("%.0f GFLOP/s, %.0f %%", gflops, 100 * gflops / peak_gflops);
    const std::string numbers =
        absl::StrCat(speed, "; ", TimeText(phase.seconds), ", roof ", TimeText(phase.gflop / peak_gflops));
    if (wide) {
      svg.Text({left - 10, y + 14.5}, PhaseLabel(phase.phase), "", Anchor::kEnd);
      svg.Text({right + 10, y + 14.5}, numbers, "small muted");
    } else {
      svg.Text({0, y + 12}, PhaseLabel(phase.phase), "");
      svg.Text({right - 4, y + 12}, speed, "small muted", Anchor::kEnd);
      y += 18;
    }
    svg.Rect({left, y}, right - left, kBarHeight, "panel");
    svg.Rect({left, y}, std::min(x(gflops), right) - left, kBarHeight, PhaseClass(phase.phase), numbers);
    y += kBarHeight + 7;
  }
  svg.Line({right, 18}, {right, y}, "roof");
  return svg.Element(y + 4, label);
}

}  // namespace earshot
