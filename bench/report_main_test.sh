#!/bin/bash
# The command line of the report: report_main_test.sh PROGRAM
set -u
program="$PWD/$1"
data="$PWD/bench/testdata"
dir="$(mktemp -d)"
trap 'rm -rf "${dir}"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# run ARGUMENT...: the program as the user's shell starts it; paths are relative to his folder.
run() { BUILD_WORKING_DIRECTORY="${dir}" "${program}" "$@"; }

# expect NAME STATUS PATTERN ARGUMENT...: the exit status, and a line of the output.
expect() {
  local name="$1" status="$2" pattern="$3" output actual
  shift 3
  output="$(run "$@" 2>&1)"
  actual=$?
  [[ ${actual} -eq ${status} ]] && grep -q -e "${pattern}" <<<"${output}" ||
    fail "${name}: exit ${actual}, expected ${status} and a line \"${pattern}\" in: ${output}"
}

cp "${data}"/report_*.json "${dir}"
expect help 0 '-svg_dir' --help
expect no_report 2 '^error: no report'
expect unknown_flag 2 '^error: flag --outt' --outt=x a.json
expect missing 1 '^error: .*missing.json' missing.json
expect all 0 '^2 reports, ' --out=page.html --svg_dir=figures/deep --csv=steps.csv report_ce_long.json report_curves.json
grep -q '^<!DOCTYPE html>' "${dir}/page.html" || fail "no page"
for figure in lstm_ce_long_frameworks time_to_accuracy_error_per_second; do
  grep -q '^<svg xmlns=' "${dir}/figures/deep/${figure}.svg" || fail "no figure ${figure}"
done
# A line a step, and the header.
lines="$(wc -l <"${dir}/steps.csv")"
steps="$(grep -o '"step_seconds":\[[^]]*' "${dir}/report_ce_long.json" | tr ',' '\n' | wc -l)"
[[ ${lines} -eq $((steps + 1)) ]] || fail "steps.csv has ${lines} lines, expected ${steps} and a header"
grep -q $'^lstm_ce_long,,torch:lstm,torch 2.15.0,0,0,1,0\\.[0-9]*,2\\.31,1a2b3c4d5e6f\r$' "${dir}/steps.csv" ||
  fail "no such step in: $(head -n 3 "${dir}/steps.csv")"
run --out=again.html report_ce_long.json report_curves.json 2>/dev/null
cmp "${dir}/page.html" "${dir}/again.html" || fail "the same records give another page"

# Bad files: one line that names file and place, and no page.
echo '{"config": {"name": "x"}, "rows": [{"implementation": "a", "medain_seconds": 1}]}' >"${dir}/typo.json"
head -c 1000 "${dir}/report_ctc.json" >"${dir}/cut.json"
rm -f "${dir}/page.html"
expect typo 1 '^error: [^ ]*typo.json: byte 59: expected a field of BenchRow, found "medain_seconds"' --out=page.html typo.json
expect cut 1 '^error: [^ ]*cut.json: byte 1000: ' --out=page.html report_ctc.json cut.json
[[ ! -e "${dir}/page.html" ]] || fail "a page in spite of the error"
expect unwritable 1 '^error: .*nowhere' --out=nowhere/page.html report_ctc.json
exit $((failures > 0))
