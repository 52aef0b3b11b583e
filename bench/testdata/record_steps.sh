#!/bin/bash
# Records bench/testdata/step_times.txt, the step times of one implementation from many processes:
#   bench/testdata/record_steps.sh [PROCESSES] >step_times.txt && mv step_times.txt bench/testdata/
# A line a process: its steps in order, in microseconds. Processes that the bench calls disturbed are left out, so the
# machine must be quiet.
set -euo pipefail
cd "$(dirname "$0")/../.."

bench="bazel-bin/bench/lstm_ce_short --lstm=simd --max_seconds=280 --blocks=${1:-80}"
tools/bazel build //bench:lstm_ce_short >&2
work="$(mktemp -d)"
trap 'rm -rf "${work}"' EXIT
echo "# ${bench}: microseconds a step, a line a process"
${bench} --json="${work}/report.json" >"${work}/table"
sed -n '2s/;.*//;2s/^/# /p' "${work}/table"
python3 - "${work}/report.json" <<'PYTHON'
import json
import sys

for block in json.load(open(sys.argv[1]))["rows"][0]["blocks"]:
    if not block.get("disturbed"):
        print(*(round(1e6 * seconds) for seconds in block["step_seconds"]))
PYTHON
