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
# The record says what was trained, and how it was asked for.
grep -q 'training of digits { corpus { train_utterances: 12 .*} to 1000 % dev WER' "${dir}/report.json" || fail "no summary"
grep -qE '"flags": ?\[' "${dir}/report.json" && grep -q -- '--target=1000' "${dir}/report.json" || fail "no flags"
grep -q '"hidden_size": \?8' "${dir}/report.json" && grep -q '"token"' "${dir}/report.json" || fail "no training settings"
# Nothing that is finished is trained again.
touch -d '2001-01-01' "${dir}"/time_to_accuracy/*/result.json
run || fail "the second run"
[[ -z "$(find "${dir}/time_to_accuracy" -name result.json -newermt 2002-01-01)" ]] || fail "it trained again"
# Another recipe, --set, --data or implementation is another run, finished or not.
refuses() {
  run "$@"
  [[ $? == 1 && "$(wc -l <"${dir}/out")" == 1 ]] || fail "$* is taken for the same"
}
runs="${dir}/time_to_accuracy"
refuses --set='optimizer { learning_rate: 0.5 }'
grep -qE "^error: ${runs}/[a-z]+-1 holds a run of other settings .*: optimizer.learning_rate: 0.0[0-9]+ -> 0.5;" \
  "${dir}/out" || fail "no clear error of --set"
rm "${runs}"/*/result.json
refuses --recipe=isolated_digits
grep -qE "^error: ${runs}/[a-z]+-1 holds a run of other settings" "${dir}/out" || fail "no clear error of the recipe"
refuses --data=elsewhere
grep -q -- "--data: none -> ${dir}/elsewhere;" "${dir}/out" || fail "no clear error of --data"
run || fail "begun runs are not gone on with"
mv "${runs}/simd-1" "${dir}/kept" && cp -r "${runs}/blas-1" "${runs}/simd-1"
refuses
grep -q 'simd-1 holds .*model.lstm.implementation: "blas" -> "simd";' "${dir}/out" || fail "no clear error of the row"
rm -r "${runs}/simd-1" && mv "${dir}/kept" "${runs}/simd-1"
: >"${runs}/simd-1/metrics.jsonl"
run
[[ $? == 1 ]] && grep -q '^error: .*simd-1/metrics.jsonl:1: ends after 0 lines' "${dir}/out" || fail "an empty curve"
rm -r "${runs}/simd-1"
# A signal stops the trainer, which saves; the same command goes on. A kill of the program ends the trainer, too.
metrics="${dir}/long/blas-1/metrics.jsonl"
# start: begins it in the background, in an epoch after those that it has; its number becomes $pid.
start() {
  local before=0
  [[ -e "${metrics}" ]] && before="$(wc -l <"${metrics}")"
  "${program}" --out=long --lstm=blas --seeds=1 --set="${small}" --set='epochs: 100000' >"${dir}/out" 2>&1 &
  pid=$!
  for _ in $(seq 500); do
    [[ -e "${metrics}" && "$(wc -l <"${metrics}")" -gt "${before}" ]] && return
    sleep 0.02
  done
  fail "it does not train"
}
trainers() { pgrep -f -- "--out=${dir}/long/blas-1" >/dev/null; }
for signal in TERM INT KILL INT; do
  start
  trainers || fail "no trainer"
  kill -s "${signal}" "${pid}"
  wait "${pid}"
  status=$?
  if [[ "${signal}" == KILL ]]; then
    for _ in $(seq 500); do trainers && sleep 0.02; done
  else
    [[ ${status} == 75 ]] && grep -q '^stopped; the same command goes on' "${dir}/out" || fail "exit ${status}"
  fi
  trainers && fail "the trainer outlives SIG${signal}"
done
# The trainer's own message, after the name of the run.
run --out=bad --lstm=blas --data=nowhere
[[ $? == 1 ]] && grep -qE "^error: blas, seed 1: ${dir}/nowhere" "${dir}/out" || fail "the trainer's error"
run --lstm=simd,simd
[[ $? == 2 ]] && grep -q '^error: flag --lstm names simd twice' "${dir}/out" || fail "a name twice"
run --lstm=,
[[ $? == 2 ]] || fail "no name"
"${program}" --seeds=0 >"${dir}/out" 2>&1
[[ $? == 2 ]] || fail "--seeds=0"
"${program}" --lstm=nonsense >"${dir}/out" 2>&1
[[ $? == 1 ]] && grep -q "nonsense" "${dir}/out" || fail "an unknown implementation"
