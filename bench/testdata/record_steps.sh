#!/bin/bash
# Records bench/testdata/step_times.txt, the step times of one implementation from many processes:
#   bench/testdata/record_steps.sh [PROCESSES] >step_times.txt && mv step_times.txt bench/testdata/
# A line a process: its steps in order, in microseconds. A process that the bench calls disturbed does not count and is
# run again, so the machine must be quiet.
set -euo pipefail
cd "$(dirname "$0")/../.."

processes="${1:-80}"
bench="bazel-bin/bench/lstm_ce_short --lstm=simd --max_seconds=8"
tools/bazel build //bench:lstm_ce_short >&2
work="$(mktemp -d)"
trap 'rm -rf "${work}"' EXIT
echo "# ${bench}: microseconds a step, a line a process"
for ((done = 0; done < processes; )); do
  ${bench} --json="${work}/report.json" >"${work}/table" 2>/dev/null
  if grep DISTURBED "${work}/table" >&2; then
    sleep 2
    continue
  fi
  ((++done))
  ((done > 1)) || sed -n '2s/;.*//;2s/^/# /p' "${work}/table"
  python3 - "${work}/report.json" <<'PYTHON'
import json
import sys

steps = json.load(open(sys.argv[1]))["rows"][0]["step_seconds"]
print(*(round(1e6 * seconds) for seconds in steps))
PYTHON
done
