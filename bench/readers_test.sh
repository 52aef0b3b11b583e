#!/bin/bash
# //bench:readers on one megabyte, without the rows that make large folders: every row prints a rate, and one read of a table prints what it read.
set -euo pipefail
readers="$1"
export TMPDIR="${TEST_TMPDIR}"
out="$("${readers}" --megabytes=1 --benchmark_min_time=0.01 --benchmark_filter="-kaldi_dir|manifest" 2>/dev/null)"
for row in ark scp scp_shuffled ark_compressed_cm ark_compressed_cm2 ark_text npy htk; do
  grep -qE "^${row} .* MB=[0-9.]+[kMG]?/s" <<<"${out}" || { echo "no rate for ${row}: ${out}"; exit 1; }
done
grep -qE "^scp_million_lines .* lines=[0-9.]+[kM]?/s" <<<"${out}" || { echo "no scp_million_lines: ${out}"; exit 1; }
[[ -z "$(ls -A "${TEST_TMPDIR}")" ]] || { echo "files are left: $(ls -A "${TEST_TMPDIR}")"; exit 1; }

printf 'a  [\n  1 2 3 ]\nb  [ 4 5 ]\n' >"${TEST_TMPDIR}/t.ark"
out="$("${readers}" --rspecifier="ark:${TEST_TMPDIR}/t.ark")"
[[ "${out}" =~ ^[0-9.e+-]+\ 20\ 2$ ]] || { echo "expected SECONDS 20 2, found ${out}"; exit 1; }
code=0
out="$("${readers}" --rspecifier=ark:/no/such.ark 2>&1)" || code=$?
[[ "${code} ${out}" == "1 error: /no/such.ark: cannot open: No such file or directory" ]] || { echo "${code} ${out}"; exit 1; }
