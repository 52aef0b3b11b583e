#!/bin/bash
# The command line of the comparison: compare_main_test.sh PROGRAM
set -u
program="$PWD/$1"
export BUILD_WORKING_DIRECTORY="$PWD/bench/testdata"
failures=0

# expect NAME STATUS PATTERN ARGUMENT...: the exit status, and a line of the output.
expect() {
  local name="$1" status="$2" pattern="$3" output actual
  shift 3
  output="$("${program}" "$@" 2>&1)"
  actual=$?
  if [[ ${actual} -ne ${status} ]] || ! grep -q -e "${pattern}" <<<"${output}"; then
    echo "FAILED ${name}: exit ${actual}, expected ${status} and a line \"${pattern}\" in: ${output}"
    failures=$((failures + 1))
  fi
}

expect help 0 'exit code 0: .* 3: a row got slower' --help
expect one 2 '^error: 1 reports, expected two' report_ctc.json
# simd takes 0.207 s in the one and 7 % more in the other.
expect faster 0 '^simd .* 0\.9[34][0-9] .*faster (p = 0' report_ce_long_before.json report_ce_long.json
expect slower 3 '^simd .* 1\.0[67][0-9] .*slower (p = 0' report_ce_long.json report_ce_long_before.json
expect same 0 '^basic .* 1\.000 .*cannot tell' report_ce_long.json report_ce_long.json
expect wrong_in_both 0 '^tf:block_cell .*A: wrong: loss of utterance 3' report_ce_long_before.json report_ce_long.json
expect disturbed 0 '^WARNING: A was disturbed' report_ctc.json report_ctc.json
expect other_work 1 '^error: the records are of different work: A has .*lstm_ce_long' report_ce_long.json report_ctc.json
expect trainings 0 '^simd to the target .* 1\.000 .*cannot tell (p = 1): A reached it in' report_curves.json report_curves.json
expect missing 1 '^error: .*missing.json' report_ctc.json missing.json
output="$("${program}" report_ctc.json report_ctc.json 2>&1 >/dev/full)"
if [[ $? -ne 1 || "${output}" != "error: "*stdout* ]]; then
  echo "FAILED full_stdout: ${output}"
  failures=$((failures + 1))
fi
exit $((failures > 0))
