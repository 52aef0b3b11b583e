#!/bin/bash
# Lists and paths that try to start a program or to reach the network: strace sees no execve but that of the reader
# itself, no connect, and nothing opened for writing outside of the test's folder.
#   hostile_paths_test.sh FILE_DATASET_TEST KALDI_DIR_READER_TEST KALDI_DIR_SEED...
set -uo pipefail
dataset="$1" reader="$2"
shift 2
trace="${TEST_TMPDIR}/trace"
unset XML_OUTPUT_FILE TEST_PREMATURE_EXIT_FILE  # files that gtest itself writes elsewhere
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"  # looking for leaks is tracing too, and two cannot trace

if ! strace -f -o "${trace}" -e trace=execve true 2>/dev/null; then
  echo "SKIPPED: hostile_paths_test: needs strace and the right to trace"
  exit 0
fi

# deeds COMMAND...: what it did beyond starting, one line each.
deeds() {
  strace -f -s 200 -o "${trace}" -e trace=execve,connect,openat,creat,unlink,rename "$@" >"${TEST_TMPDIR}/log" 2>&1 ||
    { cat "${TEST_TMPDIR}/log"; echo "FAILED: $1"; exit 1; }
  grep -vE ' (execve|openat|creat)\(.* = -1 |\+\+\+|---' "${trace}" |
    awk -v tmp="${TEST_TMPDIR}" '
      / execve\(/ && execs++ || / connect\(/ { print }
      / (unlink|rename|creat)\(/ || / openat\(.*(O_WRONLY|O_RDWR|O_CREAT)/ { if (!index($0, tmp)) print }'
}

failed=0
expect_none() {
  local found
  found="$(deeds "$@")"
  [[ -z "${found}" ]] || { echo "FAILED: $*: ${found}"; failed=1; }
}
expect_none "${dataset}" --gtest_filter=FileDataset.HostilePaths
expect_none "${reader}" --gtest_filter=ReaderTest.* "$@"
# The trace would show a program: commands that are allowed start some.
[[ "$(deeds "${dataset}" --gtest_filter=FileDataset.Commands | grep -c execve)" -gt 2 ]] ||
  { echo "FAILED: no program seen where some are started"; failed=1; }
exit "${failed}"
