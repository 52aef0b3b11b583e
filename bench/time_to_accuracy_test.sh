#!/bin/bash
# //bench:time_to_accuracy on a training of seconds: time_to_accuracy_test.sh PROGRAM
set -u
program="$PWD/$1"
dir="$(mktemp -d)"
trap 'rm -rf "${dir}"' EXIT
export XDG_CACHE_HOME="${dir}/cache" BUILD_WORKING_DIRECTORY="${dir}"
small='corpus { train_utterances: 12 dev_utterances: 4 test_utterances: 4 } epochs: 2 model { lstm { hidden_size: 8 } }'
fail() {
  echo "FAILED $1"
  cat "${dir}/out"
  exit 1
}

run() { "${program}" --lstm=simd,blas --seeds=2 --target=1000 --json=report.json --set="${small}" "$@" >"${dir}/out" 2>&1; }
run || fail "the run"
grep -qE '^simd +2 .* 2  $' "${dir}/out" || fail "no line of simd, with two runs that reached the target"
grep -qE '^blas +2 .*alike \(p = ' "${dir}/out" || fail "no t-test of blas"
grep -qE '^    2 +[0-9.]+ +[0-9.]+$' "${dir}/out" || fail "no second epoch"
[[ "$(grep -c '"testError"\|"test_error"' "${dir}/report.json")" == 4 ]] || fail "not four curves in the report"
# Nothing that is finished is trained again.
touch -d '2001-01-01' "${dir}"/time_to_accuracy/*/result.json
run || fail "the second run"
[[ -z "$(find "${dir}/time_to_accuracy" -name result.json -newermt 2002-01-01)" ]] || fail "it trained again"
mv "${dir}/time_to_accuracy/simd-1" "${dir}/time_to_accuracy/x" && cp -r "${dir}/time_to_accuracy/blas-1" "${dir}/time_to_accuracy/simd-1"
run && fail "another implementation's run was taken"
grep -q 'holds a run of blas with seed 1, expected simd and 1' "${dir}/out" || fail "no clear error"
"${program}" --seeds=0 >"${dir}/out" 2>&1
[[ $? == 2 ]] || fail "--seeds=0"
"${program}" --lstm=nonsense >"${dir}/out" 2>&1
[[ $? == 1 ]] && grep -q "nonsense" "${dir}/out" || fail "an unknown implementation"
