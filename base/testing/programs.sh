# What the tests of command lines share; sourced from the runfiles' root. start makes a folder, enters it and removes it
# at the end; finish says how many checks failed and ends with 1 if any did.
checks=0 failures=0

# start NAME: from here on the test is in ${dir}, which is empty, and the home of the programs that it starts.
start() {
  dir="$(realpath "$(mktemp -d "${TEST_TMPDIR:-/tmp}/$1.XXXXXX")")"
  trap 'rm -rf "${dir}"' EXIT
  cd "${dir}" || exit 1
  unset BUILD_WORKING_DIRECTORY
  export HOME="${dir}" XDG_CACHE_HOME="${dir}/cache"
  : >out
  : >err
}

# check NAME COMMAND...: the command succeeds.
check() {
  checks=$((checks + 1))
  local name="$1"
  shift
  "$@" && return
  failures=$((failures + 1))
  echo "FAILED ${name}: $*"
  tail -n 5 "${dir}/out" "${dir}/err"
}

# run_program NAME STATUS COMMAND...: exit status; a failure ends with a line "error: ..." on stderr, and nothing else has one.
# What was printed is in out and err.
run_program() {
  local name="$1" status="$2" actual
  shift 2
  "$@" >"${dir}/out" 2>"${dir}/err"
  actual=$?
  check "${name}" test "${actual}" = "${status}"
  case "${status}" in
    0 | 75) check "${name}: no error" test "$(grep -c '^error: ' "${dir}/err")" = 0 ;;
    *) check "${name}: last line" grep -q '^error: ' <(tail -n 1 "${dir}/err") ;;
  esac
}
run() { run_program "$@"; }  # a test may put its own in its place
says() { check "says $1" grep -qe "$1" "${dir}/err"; }
prints() { check "prints $1" grep -qe "$1" "${dir}/out"; }

finish() {
  echo "${checks} checks, ${failures} failed"
  [[ "${failures}" == 0 && "${checks}" != 0 ]] || exit 1
}
