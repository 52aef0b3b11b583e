#!/bin/bash
# Fuzzes every reader (reader_test in base/testing/reader_test.bzl) with libFuzzer, two at a time:
#   tools/fuzz.sh [seconds for each, default 30] [target pattern, default //...]
# Prints one line a reader: executions, executions a second, what was covered, finds. Files that break a promise are
# left in fuzz_finds/ under the current folder; exit 1 then. Needs clang with libFuzzer.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
seconds="${1:-30}" pattern="${2:-//...}"

if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
  clang -x c++ -fsanitize=fuzzer,address -o /dev/null - 2>/dev/null; then
  echo "SKIPPED: tools/fuzz.sh: needs clang with libFuzzer (Debian: clang libclang-rt-14-dev)"
  exit 0
fi

targets="$(tools/bazel query --noshow_progress "attr(tags, '\\bfuzz\\b', ${pattern})" 2>/dev/null)"
[[ -n "${targets}" ]] || { echo "error: no fuzz targets in ${pattern}" >&2; exit 1; }
# shellcheck disable=SC2086
tools/bazel build --config=fuzz --noshow_progress ${targets} || exit 1
# Not the link bazel-bin, which follows the next build.
bin="$(tools/bazel info --config=fuzz --noshow_progress bazel-bin 2>/dev/null)"

work="$(mktemp -d)"
trap 'rm -rf "${work}"' EXIT
finds="${PWD}/fuzz_finds"

# fuzz TARGET: runs one program and prints its line.
fuzz() {
  local target="$1" name path binary seeds log
  name="$(tr -c 'A-Za-z0-9\n' _ <<<"${target#//}")"
  path="${target#//}"
  binary="${bin}/${path/://}"
  seeds="${work}/${name}"
  log="${work}/${name}.log"
  mkdir -p "${seeds}" "${finds}"
  # Its seeds are among its runfiles.
  while IFS= read -r seed; do
    cp -f "${seed}" "${seeds}/$(sha1sum <"${seed}" | cut -c -16)"
  done < <(find -L "${binary}.runfiles/earshot" -type f ! -path "*/${path##*:}" -size -1024k)
  "${binary}" -max_total_time="${seconds}" -timeout=5 -rss_limit_mb=1024 -malloc_limit_mb=64 -print_final_stats=1 \
    -artifact_prefix="${finds}/${name}-" "${seeds}" >"${log}" 2>&1
  local code=$?
  awk -v target="${target}" -v code="${code}" '
    /stat::number_of_executed_units/ { executed = $2 }
    /stat::average_exec_per_sec/ { rate = $2 }
    / cov: / { for (i = 1; i < NF; ++i) if ($i == "cov:") covered = $(i + 1) }
    END {
      printf "%s: %d executions, %d a second, %d edges covered, %s\n", target, executed, rate, covered,
             code == 0 ? "no finds" : "FOUND something (exit " code ")"
    }' "${log}"
  [[ "${code}" == 0 ]] || { tail -n 40 "${log}"; touch "${work}/failed"; }
}

while IFS= read -r target; do
  fuzz "${target}" &
  while (($(jobs -rp | wc -l) >= 2)); do wait -n; done
done <<<"${targets}"
wait
rmdir "${finds}" 2>/dev/null
[[ ! -e "${work}/failed" ]]
