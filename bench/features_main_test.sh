#!/bin/bash
# The features of one file, and what is said of a broken one. $1: the program.
set -euo pipefail
wav="${TEST_TMPDIR}/silence.wav"
{
  printf 'RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data\xff\xff\xff\xff'
  head -c 3200 /dev/zero
} >"${wav}"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# 1600 zeros: 8 frames of ln(FLT_EPSILON) and deltas of 0.
output="$("$1" --wav="${wav}" --rounds=2)"
[[ "$(wc -l <<<"${output}")" == 2 ]] || fail "two rounds: ${output}"
grep -qE '^[0-9.]+ 8 123 -5\.3141' <<<"${output}" || fail "log-mel: ${output}"
output="$("$1" --wav="${wav}" --features='kind: MFCC num_mel_bins: 23 delta_order: 0')"
grep -qE '^[0-9.]+ 8 13 ' <<<"${output}" || fail "MFCC: ${output}"

head -c 100 "${wav}" | tail -c 60 >"${TEST_TMPDIR}/broken.wav"
if output="$("$1" --wav="${TEST_TMPDIR}/broken.wav" 2>&1)"; then fail "a broken file: ${output}"; fi
grep -q '^error: .*broken.wav: byte 0: expected a WAV' <<<"${output}" || fail "${output}"
if output="$("$1" --wav="${wav}" --features='num_mel_bins: 0' 2>&1)"; then fail "a wrong configuration: ${output}"; fi
grep -q '^error: features.num_mel_bins' <<<"${output}" || fail "${output}"
echo PASSED
