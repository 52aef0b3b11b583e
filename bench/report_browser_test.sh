#!/bin/bash
# The page in headless Chromium: no console error, nothing wider than the screen, nothing blank, on a wide and a narrow
# screen, light and dark. report_browser_test.sh PROGRAM
set -u
program="$PWD/$1"
testdata="$PWD/bench/testdata"
checks="$PWD/bench/testing/check_page.js"
browser="$(command -v chromium || command -v chromium-browser || command -v google-chrome)"
if [[ -z "${browser}" ]]; then
  echo "SKIPPED: no chromium (Debian package chromium)"
  exit 0
fi
dir="$(mktemp -d)"
trap 'rm -rf "${dir}"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# browse LOG WIDTH ARGUMENT...: what Chromium prints; its messages, those of the page's console too, go to LOG.
browse() {
  local log="$1" width="$2"
  shift 2
  HOME="${dir}" timeout 60 "${browser}" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
    --no-first-run --user-data-dir="${dir}/profile" --window-size="${width},1400" --enable-logging=stderr "$@" 2>"${log}"
}

# Messages of the page: Chromium's own go by other names. A page that fails on purpose shows that they are seen.
console() { grep -E 'CONSOLE' "$1"; }
echo '<!DOCTYPE html><title>x</title><script>console.error("on purpose")</script>' >"${dir}/bad.html"
browse "${dir}/bad.log" 400 --dump-dom "file://${dir}/bad.html" >"${dir}/bad.dom"
if [[ ! -s "${dir}/bad.dom" ]]; then
  echo "SKIPPED: ${browser} does not start here: $(tail -n 1 "${dir}/bad.log")"
  exit 0
fi
console "${dir}/bad.log" | grep -q 'on purpose' || fail "messages of the console are not seen: $(tail -n 3 "${dir}/bad.log")"

# check NAME REPORT...: renders a page and looks at it.
check() {
  local name="$1" width scheme log dom title shot
  shift
  "${program}" --out="${dir}/${name}.html" "$@" 2>/dev/null || { fail "${name}: no page"; return; }
  # The page itself forbids scripts: the copy that the checks run in does not, and its details are open.
  { sed -e 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' -e 's/<details>/<details open>/g' "${dir}/${name}.html"
    echo '<script>'; cat "${checks}"; echo '</script>'; } >"${dir}/${name}_checked.html"
  for width in 1280 390; do
    log="${dir}/${name}_${width}.log"
    # A window is never narrower than some 500 pixels: a frame is.
    echo "<!DOCTYPE html><title>frame</title><body style='margin:0'><iframe id='frame' style='border:0;width:${width}px;height:1200px'
      src='${name}_checked.html' onload=\"document.title = document.getElementById('frame').contentDocument.title\"></iframe>" \
      >"${dir}/frame.html"
    dom="$(browse "${log}" 1280 --allow-file-access-from-files --dump-dom "file://${dir}/frame.html")"
    title="$(grep -o '<title>CHECKED [^<]*' <<<"${dom}")"
    [[ "${title}" == *", 0 problems:"* ]] || fail "${name} at ${width} px: ${title:-no answer from the checks}"
    console "${log}" && fail "${name} at ${width} px: messages in the console"
    echo "${name} at ${width} px: ${title#<title>}"
  done
  # As it is, with its policy.
  for scheme in light dark; do
    shot="${dir}/${name}_${scheme}.png" log="${dir}/${name}_${scheme}.log"
    browse "${log}" 1280 $([[ "${scheme}" == dark ]] && echo --force-dark-mode) --screenshot="${shot}" "file://${dir}/${name}.html" >/dev/null
    console "${log}" && fail "${name}, ${scheme}: messages in the console"
    # A blank page of this size takes some 8 KB.
    [[ "$(stat -c %s "${shot}" 2>/dev/null || echo 0)" -gt 40000 ]] || fail "${name}, ${scheme}: the screenshot is blank"
    cp "${shot}" "${TEST_UNDECLARED_OUTPUTS_DIR:-${dir}}/" 2>/dev/null
  done
  cmp -s "${dir}/${name}_light.png" "${dir}/${name}_dark.png" && fail "${name}: light and dark look the same"
}

check all "${testdata}"/report_{ce_long_before,ce_long,ctc,sweep,loss_alone,curves}.json
check hostile "${testdata}/report_hostile.json"

# A figure as a file of its own.
"${program}" --out= --svg_dir="${dir}/figures" "${testdata}/report_ce_long.json" 2>/dev/null || fail "no figures"
for figure in frameworks phases speeds roofline steps; do
  browse "${dir}/svg.log" 960 --dump-dom "file://${dir}/figures/lstm_ce_long_${figure}.svg" >"${dir}/svg.dom"
  grep -q 'parsererror' "${dir}/svg.dom" && fail "figure ${figure}: $(grep -o 'error on line.*' "${dir}/svg.dom")"
  grep -q '</svg>' "${dir}/svg.dom" || fail "figure ${figure} was not read"
done
exit $((failures > 0))
