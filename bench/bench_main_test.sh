#!/bin/bash
# The command line of a benchmark: bench_main_test.sh PROGRAM
set -u
program="$PWD/$1"
dir="$(mktemp -d)"
trap 'rm -rf "${dir}"' EXIT
failures=0

# run ARGUMENT...: the program as the user's shell starts it.
run() { BUILD_WORKING_DIRECTORY="${dir}" "${program}" "$@"; }

# judge NAME STATUS PATTERN ACTUAL OUTPUT: the exit status is as expected, and so is a line of the output.
judge() {
  local name="$1" status="$2" pattern="$3" actual="$4" output="$5"
  if [[ ${actual} -ne ${status} ]] || ! grep -q -e "${pattern}" <<<"${output}"; then
    echo "FAILED ${name}: exit ${actual}, expected ${status} and a line \"${pattern}\" in:"
    echo "${output}"
    failures=$((failures + 1))
  fi
}

# expect NAME STATUS PATTERN ARGUMENT...: the program's exit status, and a line of its output.
expect() {
  local name="$1" status="$2" pattern="$3" output
  shift 3
  output="$(run "$@" 2>&1)"
  judge "${name}" "${status}" "${pattern}" $? "${output}"
}

expect help 0 '-max_seconds' --help
expect unknown_flag 2 '^error: flag --lsmt' --lsmt=blas
expect no_number 2 '^error: flag --threads' --threads=two
expect twice 2 '^error: flag --lstm names blas twice' --lstm=blas,simd,blas
expect no_peers 2 '^error: flag --peers= names none' --peers=
expect bad_set 1 '^error: --set:1:.*hiden' --lstm=blas --set='train { model { lstm { hiden_size: 3 } } }'
expect bad_config 1 '^error: .*missing.textproto' --config=missing.textproto
expect no_value 2 '^error: flag --lstm has no value' --lstm
expect many_threads 2 '^error: flag --threads=1000000000' --threads=1000000000
expect negative 2 '^error: flag --max_seconds=-1' --max_seconds=-1
expect argument 2 '^error: unexpected argument blas' blas
expect unknown_implementation 1 "^error: .*'blass'.*reference" --lstm=blass
expect unwritable 1 '^error: .*missing' --lstm=blas --max_seconds=1 --json=missing/report.json
expect unwritable_table 1 '^blas  .*%' --lstm=blas --max_seconds=1 --json=missing/report.json
output="$(run --lstm=blas --max_seconds=1 2>&1 >/dev/full)"
judge full_stdout 1 '^error: .*stdout' $? "${output}"
output="$(run --lstm=blas --max_seconds=1 2>&1 >&-)"
judge closed_stdout 1 '^error: stdout is closed' $? "${output}"
expect run 0 '^blas  .*%' --lstm=blas --max_seconds 3 --json=report.json --set='batch { max_frames: 20 }' --blocks=2
grep -q '"max_frames": 20' "${dir}/report.json" ||
  { echo "FAILED set: not in the report"; failures=$((failures + 1)); }
grep -q 'lstm_ce_short changed by --set: batch { max_frames: 20 }' "${dir}/report.json" && ! grep -q stands_for "${dir}/report.json" ||
  { echo "FAILED set: the summary hides the change, or it still stands for a published configuration"; failures=$((failures + 1)); }
grep -q '"implementation": "blas"' "${dir}/report.json" ||
  { echo "FAILED json: no row in the report, relative to the caller's directory"; failures=$((failures + 1)); }
expect unknown_peer 1 "^error: no peer 'torch:lsmt'.*torch:lstm" --lstm=blas --peers=torch:lsmt
expect unfit_peer 1 '^error: flag --peers names torch:loss: lstm_ce_short times training steps' --lstm=blas --peers=torch:lstm,torch:loss
export EARSHOT_PEERS=/nowhere
expect absent_peers 0 '^jax:scan  *not here: no /nowhere/bin/python: run bench/peers/setup.sh' --peers=jax:scan,torch:lstm --lstm=blas --max_seconds=60 --blocks=1 --set='batch { max_frames: 10 }'
expect absent_peer 0 '^tf:block  *not here: no /nowhere' --lstm=blas --max_seconds=60 --blocks=1 --set='batch { max_frames: 10 }' --peers=tf:block
expect out 0 '^blas  .*%' --lstm=blas --max_seconds=3 --blocks=1 --set='batch { max_frames: 20 }' --out=folder
for file in lstm_ce_short.json report.html steps.csv figures; do
  [[ -e "${dir}/folder/${file}" ]] || { echo "FAILED out: no ${file}"; failures=$((failures + 1)); }
done
exit $((failures > 0))
