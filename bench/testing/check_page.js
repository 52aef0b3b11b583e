// Run inside a page by report_browser_test.sh: writes what is wrong with its layout into the document's title.
"use strict";
(() => {
  const problems = [], width = document.documentElement.clientWidth;
  const say = (element, text) => {
    const name = element.id || element.className || element.textContent.slice(0, 40);
    if (problems.length < 20) problems.push(`${element.tagName} ${name}: ${text}`);
  };
  const shown = (element) => element.getClientRects().length > 0;
  if (document.documentElement.scrollWidth > width) say(document.body, `${document.documentElement.scrollWidth} wide`);
  for (const element of document.body.querySelectorAll("*")) {
    const box = element.getBoundingClientRect();
    // A table's head is kept for screen readers, out of sight, on a narrow screen.
    if (!shown(element) || element.closest("thead") || element.closest("svg")) continue;
    if (box.right > width + 1 || box.left < -1) say(element, `from ${box.left} to ${box.right} of ${width}`);
  }
  let figures = 0, texts = 0;
  for (const svg of document.querySelectorAll("figure svg")) {
    if (!shown(svg)) continue;
    ++figures;
    const frame = svg.getBoundingClientRect();
    for (const text of svg.querySelectorAll("text")) {
      const box = text.getBoundingClientRect();
      ++texts;
      if (box.left < frame.left - 1 || box.right > frame.right + 1) say(text, `"${text.textContent}" leaves its figure`);
      if (parseFloat(getComputedStyle(text).fontSize) * frame.width / svg.viewBox.baseVal.width < 10) {
        say(text, "smaller than 10 px");
      }
    }
  }
  if (figures === 0 || texts === 0) problems.push("no figures");
  for (const link of document.querySelectorAll("a[href^='#']")) {
    if (!document.getElementById(link.getAttribute("href").slice(1))) say(link, "leads nowhere");
  }
  document.title = `CHECKED ${figures} figures, ${texts} texts, ${problems.length} problems: ${problems.join(" | ")}`;
})();
