#!/bin/bash
# The table of implementations: implementations_test.sh PROGRAM
set -u
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

table="$("$1")" || fail "exit $?"
for row in '| reference  *|.*| cpu  *| yes  *| 3  *|' '| cudnn  *|.*| cuda  *| no: built without CUDA  *|'; do
  grep -q "^${row}" <<<"${table}" || fail "no row \"${row}\" in: ${table}"
done
"$1" --help | grep -q '^| name' || fail "--help explains nothing"

message="$("$1" blas 2>&1)"
[[ $? -eq 2 && "${message}" == "error: unexpected argument 'blas'"* ]] || fail "an argument: ${message}"
message="$("$1" 2>&1 >/dev/full)"
[[ $? -eq 1 && "${message}" == "error: "*stdout* ]] || fail "a full stdout: ${message}"
exit $((failures > 0))
