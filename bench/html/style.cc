#include "bench/html/style.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace earshot {
namespace {

// One hue a family. Text has a contrast of at least 4.5 to 1 with what is behind it, families of 3 to 1 with the paper,
// in both schemes (style_test.cc). p1 to p8 are the phases of a step, those with even numbers and p9 the pale ones,
// which stand beside others and have their names in the key.
struct Colour {
  const char *name, *light, *dark;
};
constexpr Colour kColours[] = {
    {"paper", "#fcfcfa", "#15171a"},     {"panel", "#f3f3ee", "#1e2125"},  {"ink", "#1b1e22", "#e7e7e2"},
    {"muted", "#5c626b", "#a3a8b0"},     {"rule", "#dcdcd5", "#363a40"},   {"bad", "#b3261e", "#ff8a80"},
    {"own", "#0b746d", "#3fb3a9"},       {"torch", "#c2522a", "#ee8559"},  {"tf", "#986b00", "#dcae45"},
    {"jax", "#6a50b5", "#a790f0"},       {"theano", "#2d6cb3", "#6ea7e6"}, {"other", "#8a4a68", "#d68cb0"},
    {"published", "#92928c", "#7b7f84"}, {"p1", "#0b746d", "#3fb3a9"},     {"p2", "#55a59d", "#24716b"},
    {"p3", "#2d6cb3", "#6ea7e6"},        {"p4", "#7fabdd", "#39608d"},     {"p5", "#986b00", "#dcae45"},
    {"p6", "#dcb252", "#7a5e1d"},        {"p7", "#6b7078", "#a3a8b0"},     {"p8", "#8f949b", "#5f646b"},
    {"p9", "#b1b5ba", "#565b61"},
};

constexpr char kFigures[] = R"css(
svg { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
svg text { fill: var(--ink); font-size: 13px; font-variant-numeric: tabular-nums; }
svg .small { font-size: 11.5px; } svg .muted { fill: var(--muted); } svg .strong { font-weight: 650; }
svg .on-bar { fill: var(--paper); font-size: 11px; } svg .on-pale { fill: var(--ink); font-size: 11px; } svg .bad { fill: var(--bad); }
svg .axis { stroke: var(--muted); stroke-width: 1; } svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .whisker { stroke: var(--ink); stroke-width: 1.4; } svg .break { fill: var(--paper); }
svg .hatch { stroke: var(--paper); stroke-width: 1.8; fill: none; }
svg .paper { fill: var(--paper); } svg .panel { fill: var(--panel); } svg .remainder { fill: var(--bad); }
svg .pale { opacity: .38; } svg .band { opacity: .16; stroke: none; }
svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
svg .dots { fill: none; stroke-width: 4; stroke-linecap: round; opacity: .75; }
svg .mark { fill: none; stroke-width: 7; stroke-linecap: round; }
svg .ring { fill: var(--paper); stroke-width: 1.3; }
svg .dash1 { stroke-dasharray: 7 4; } svg .dash2 { stroke-dasharray: 2 4; } svg .dash3 { stroke-dasharray: 9 3 2 3; }
svg .dash4 { stroke-dasharray: 16 4; opacity: .6; }
svg .roof { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 5 4; }
)css";

constexpr char kPage[] = R"css(
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
main, header, footer { max-width: 980px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 48px; } footer { padding: 32px 20px 64px; color: var(--muted); font-size: 14px; }
h1 { font-size: 32px; line-height: 1.15; letter-spacing: -.015em; margin: 0 0 8px; }
h2 { font-size: 23px; line-height: 1.25; letter-spacing: -.01em; margin: 64px 0 6px; }
h3 { font-size: 16px; margin: 36px 0 4px; }
p { margin: 6px 0 12px; max-width: 68ch; } .lead { font-size: 17px; } .muted { color: var(--muted); }
tbody th .muted { font-weight: 400; white-space: normal; }
.warning { border-left: 3px solid var(--bad); padding-left: 12px; } .bad { color: var(--bad); }
a { color: var(--own); text-underline-offset: 2px; } a:focus-visible, summary:focus-visible {
  outline: 2px solid var(--own); outline-offset: 2px; }
code { font: .88em/1.5 ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
th, td, li, dd, p, figcaption, h1, h2, h3 { overflow-wrap: anywhere; }
nav ul { list-style: none; padding: 0; margin: 20px 0 0; display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 15px; }
figure { margin: 20px 0 28px; } figure svg { display: block; max-width: 100%; height: auto; }
figcaption { color: var(--muted); font-size: 14px; line-height: 1.45; max-width: 76ch; margin-top: 8px; }
figure h3 { margin: 0 0 10px; }
.narrow { display: none; }
.key { display: flex; flex-wrap: wrap; gap: 2px 16px; padding: 0; margin: 10px 0; list-style: none; font-size: 14px; }
.key svg { display: inline-block; vertical-align: -1px; margin-right: 6px; }
table { border-collapse: collapse; width: 100%; margin: 12px 0 20px; font-size: 13.5px; line-height: 1.4;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--muted); padding-bottom: 6px; }
th, td { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--rule); }
thead th { overflow-wrap: normal; color: var(--muted); font-weight: 500; font-size: 13px; vertical-align: bottom; }
tbody th { font-weight: 600; white-space: nowrap; } .number { text-align: right; }
td.number { white-space: nowrap; } th.number { max-width: 7em; } td.text { min-width: 8.5em; }
td:last-child, th:last-child { padding-right: 0; }
details { margin: 8px 0; } summary { cursor: pointer; color: var(--muted); }
ul.notes { padding-left: 18px; margin: 8px 0 20px; font-size: 14px; } ul.notes li { margin: 2px 0; }
@media (max-width: 700px) {
  main, header, footer { padding-left: 16px; padding-right: 16px; } header { padding-top: 28px; }
  h1 { font-size: 26px; } h2 { font-size: 20px; margin-top: 48px; }
  .wide { display: none; } .narrow { display: block; }
  /* A table becomes a card a row: each cell says its column. */
  table, tbody, tr, th, td, caption { display: block; } thead { position: absolute; left: -9999px; }
  tr { border-bottom: 1px solid var(--rule); padding: 8px 0; } tbody th, td { border: 0; padding: 1px 0; }
  td[data-label] { display: flex; justify-content: space-between; gap: 16px; text-align: right; }
  td[data-label]::before { content: attr(data-label); color: var(--muted); text-align: left; flex: none; max-width: 45%; }
  td.text[data-label] { display: block; text-align: left; } td.text[data-label]::before { display: block; max-width: none; font-size: 12px; }
  td:empty { display: none; } td.number, tbody th { white-space: normal; }
}
@media print { .wide { display: block; } .narrow { display: none; } h2 { break-after: avoid; } figure { break-inside: avoid; } }
)css";

// A rule sheet with the colours of one scheme in place of var(--NAME): other programs that show SVG know no variables.
std::string Resolve(absl::string_view rules, bool dark) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const Colour& colour : kColours) {
    values.push_back({absl::StrCat("var(--", colour.name, ")"), dark ? colour.dark : colour.light});
  }
  return absl::StrReplaceAll(rules, values);
}

std::string Variables(bool dark) {
  std::string css;
  for (const Colour& colour : kColours)
    absl::StrAppend(&css, "--", colour.name, ": ", dark ? colour.dark : colour.light, "; ");
  return css;
}

// .fill-own { fill: var(--own) } and so on.
std::string FigureRules() {
  std::string css = kFigures;
  for (const Colour& colour : kColours) {
    absl::StrAppend(&css, "svg .fill-", colour.name, " { fill: var(--", colour.name, "); } svg .line-", colour.name,
                    " { stroke: var(--", colour.name, "); }\n");
  }
  return css;
}

}  // namespace

std::string PageStyle() {
  return absl::StrCat(":root { color-scheme: light dark; ", Variables(false),
                      "}\n@media (prefers-color-scheme: dark) { :root { ", Variables(true), "} }\n", FigureRules(),
                      kPage);
}

std::string StandaloneSvg(const Figure& figure) {
  const size_t open = figure.wide.find('>') + 1;
  return absl::StrCat("<svg xmlns=\"http://www.w3.org/2000/svg\"", figure.wide.substr(4, open - 4), "\n<style>",
                      Resolve(FigureRules(), /*dark=*/false), "@media (prefers-color-scheme: dark) {\n",
                      Resolve(FigureRules(), /*dark=*/true),
                      "}\n</style>\n<rect width=\"100%\" height=\"100%\" class=\"paper\"/>", figure.wide.substr(open));
}

}  // namespace earshot
