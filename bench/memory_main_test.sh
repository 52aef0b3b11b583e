#!/bin/bash
# The table of a small configuration, and what is said of missing or wrong files. $1: the program.
set -euo pipefail
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

small="${TEST_TMPDIR}/small.textproto"
cat >"${small}" <<'EOF'
name: "small"
train {
  model { lstm { num_levels: 1 hidden_size: 32 } output_bias: false }
  loss { kind: CROSS_ENTROPY_LAST_FRAME }
  optimizer { kind: ADAM }
}
batch { utterances: 10 max_frames: 100 input_size: 40 classes: 10 }
EOF

# To save: 1000 frames of 5 * 32 + 40 numbers. Four times 4 * 32 * (40 + 32 + 1) + 320 parameters.
output="$("$1" --lstm=simd,blas "${small}")"
grep -qE '^small +simd +1\.[0-9]+ +0\.80 +0\.15 +1\.[0-9]+ +1\.[0-9]+$' <<<"${output}" || fail "${output}"
grep -qE '^small +blas ' <<<"${output}" || fail "${output}"

if output="$("$1" 2>&1)"; then fail "no files: ${output}"; fi
grep -q '^error: no configurations' <<<"${output}" || fail "${output}"
if output="$("$1" "${TEST_TMPDIR}/absent.textproto" 2>&1)"; then fail "an absent file: ${output}"; fi
grep -q '^error: .*absent.textproto' <<<"${output}" || fail "${output}"
echo 'name: "wrong"' >"${TEST_TMPDIR}/wrong.textproto"
if output="$("$1" "${TEST_TMPDIR}/wrong.textproto" 2>&1)"; then fail "a wrong file: ${output}"; fi
grep -q '^error: .*wrong.textproto: ' <<<"${output}" || fail "${output}"
echo 'name: "loss" measured: LOSS train { loss { kind: CTC } } batch { utterances: 1 max_frames: 9 classes: 5 }' \
  >"${TEST_TMPDIR}/loss.textproto"
if output="$("$1" "${TEST_TMPDIR}/loss.textproto" 2>&1)"; then fail "no step: ${output}"; fi
grep -q '^error: .*loss.textproto: measured is LOSS' <<<"${output}" || fail "${output}"
echo PASSED
