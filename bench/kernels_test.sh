#!/bin/bash
# //bench:kernels, each family once for a moment: every row was checked and prints its rates; what is said of the
# limits, wrong usage and help. $1: the program.
set -euo pipefail
kernels="$1"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# Families whose rows compute, with one small shape each.
filter='^(peak|bandwidth/(read|copy|update)|barrier|adam|gradient_norm|ctc|cross_entropy)/threads:[12]/'
filter+='|^product/output_layer/.*/threads:[12]/|^product/recurrent(_gradient)?/32x'
filter+='|^recurrent_(forward|backward)/(own|halves)/H:(32|64)/B:4/|^gates_(forward|backward)/H:320/B:1/'
errors="${TEST_TMPDIR}/errors"
rows="$("${kernels}" --threads=2 --limit_seconds=0 --benchmark_min_time=0.001 --benchmark_filter="${filter}" \
  2>"${errors}")" || fail "exit code $?: ${rows} $(cat "${errors}")"
grep -q 'ERROR' <<<"${rows}" && fail "an error: ${rows}"

# NAME COUNTER...: some row has all of them, and a number above 0 in each.
expect() {
  local row counter
  row="$(grep -m 1 -E "^$1/manual_time " <<<"${rows}")" || fail "no row $1: ${rows}"
  for counter in "${@:2}"; do
    grep -qE " ${counter}=[0-9.]*[1-9]" <<<"${row}" || fail "no ${counter}: ${row}"
  done
}
for threads in 1 2; do
  expect "peak/threads:${threads}" GFLOP/s share_of_peak best_share
  for way in read copy update; do expect "bandwidth/${way}/threads:${threads}" GB/s share_of_bandwidth; done
  for how in simd ordered openblas; do
    expect "product/output_layer/4096x640x59/${how}/threads:${threads}" GFLOP/s share_of_peak
  done
  expect "gates_forward/H:320/B:1/threads:${threads}" ns_per_cell share_of_peak
  expect "gates_backward/H:320/B:1/threads:${threads}" ns_per_cell share_of_peak
  for row in ctc cross_entropy adam gradient_norm; do expect "${row}/threads:${threads}" GB/s share_of_bandwidth; done
  for way in forward backward; do
    expect "recurrent_${way}/own/H:32/B:4/threads:${threads}" GFLOP/s share_of_peak us_per_step ns_per_cell
  done
done
expect ctc/threads:1 ns_per_cell
expect barrier/threads:2 us_per_step
for way in forward backward; do expect "recurrent_${way}/halves/H:64/B:4/threads:2" share_of_peak us_per_step; done
expect product/recurrent/32x320x1280/simd/threads:1 share_of_peak
expect product/recurrent_gradient/32x1280x320/openblas/threads:1 share_of_peak
grep -qE '^limits: 1 thread: [0-9.]+ GFLOP/s .* updated; 2 threads: ' "${errors}" || fail "limits: $(cat "${errors}")"
grep -qE '^limits at the end: 1 thread: peak [+-][0-9.]+ %' "${errors}" || fail "limits at the end: $(cat "${errors}")"

# Repetitions in turns, as JSON, which carries the limits.
json="$("${kernels}" --threads=1 --limit_seconds=0 --benchmark_min_time=0.001 --benchmark_repetitions=2 \
  --benchmark_enable_random_interleaving --benchmark_filter='^gates_.*/B:1/' --benchmark_format=json 2>/dev/null)"
for name in gates_forward gates_backward; do
  (($(grep -c "\"name\": \"${name}/H:320/B:1/threads:1/manual_time\"" <<<"${json}") == 2)) || fail "${json}"
done
grep -q '"limits": "1 thread: ' <<<"${json}" || fail "${json}"

# Every row of the issue is there. One thread: no halves.
list="$("${kernels}" --threads=2 --limit_seconds=0 --benchmark_list_tests 2>/dev/null)"
for shape in input_projection/4096x123x1280 input_projection/4096x640x1280 input_gradient/4096x1280x640 \
  weight_gradients/1280x4096x443 weight_gradients/1280x4096x960; do
  for how in simd ordered openblas; do
    for threads in 1 2; do
      grep -qxF "product/${shape}/${how}/threads:${threads}/manual_time" <<<"${list}" || fail "no ${shape}/${how}"
    done
  done
done
(($(grep -c '^recurrent_' <<<"${list}") == 2 * 6 * 9 * 3)) || fail "recurrent rows: ${list}"
list="$("${kernels}" --threads=1 --limit_seconds=0 --benchmark_list_tests 2>/dev/null)"
(($(grep -c '^recurrent_' <<<"${list}") == 2 * 6 * 9)) || fail "one thread: ${list}"

help="$("${kernels}" --help)" || fail "--help"
grep -q 'times the kernels of the training step' <<<"${help}" || fail "${help}"
grep -q -- '--benchmark_filter' <<<"${help}" || fail "${help}"
grep -q -- '-threads' <<<"${help}" || fail "${help}"
code=0
out="$("${kernels}" --no_such_flag=1 2>&1)" || code=$?
[[ "${code}" == 2 && "${out}" == "error: "* ]] || fail "${code} ${out}"
code=0
out="$("${kernels}" --threads=1 --limit_seconds=0 --benchmark_filter=no_such_kernel 2>&1 >/dev/null)" || code=$?
[[ "${code}" == 1 && "$(grep -c '^error: flag --benchmark_filter=no_such_kernel matches no kernel, ' <<<"${out}")" == 1 ]] ||
  fail "${code} ${out}"
code=0
out="$("${kernels}" --threads=-1 2>&1)" || code=$?
[[ "${code}" == 2 && "${out}" == "error: flag --threads=-1, expected 0 to 1024"* ]] || fail "${code} ${out}"
echo PASSED
