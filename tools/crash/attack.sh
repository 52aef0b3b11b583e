# What the crash tests share; sourced from the runfiles' root.
cases=0 failures=0

# make_work NAME: makes the folder ${work}, and removes it at the end. In memory where possible: what the kernel holds
# survives a kill, so a disk would only make this slow.
make_work() {
  local base="${TEST_TMPDIR:-/tmp}"
  [[ -d /dev/shm && -w /dev/shm ]] && base=/dev/shm
  work="$(realpath "$(mktemp -d "${base}/$1.XXXXXX")")"
  trap 'rm -rf "${work}"' EXIT
}

# need_strace TEST: ends the test, and says so, where nobody may trace.
need_strace() {
  local code
  code="$({ strace -f -o /dev/null -e trace=write -e inject=write:signal=SIGKILL:when=1 echo; echo $?; } 2>/dev/null)"
  [[ "${code##*$'\n'}" == 137 ]] && return
  echo "SKIPPED: $1: needs strace and the right to trace"
  exit 0
}

# fail WHAT...: of the current ${case}.
fail() {
  failures=$((failures + 1))
  echo "FAILED: ${case}: $*"
}
