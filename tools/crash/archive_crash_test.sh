#!/bin/bash
# Writing an archive and its scp under attack: strace kills the program at every one of its file system calls, or lets
# the call fail once or from then on. Afterwards each of the two files is the old one or the new one as a whole, the scp
# is never newer than the archive, an error is reported and leaves nothing half-written.
#
#   archive_crash_test.sh COPY_ARCHIVE         (data/testing/copy_archive_main.cc)
set -u
source tools/crash/attack.sh
copy="$(realpath "$1")"
make_work archive_crash
dir="${work}/out" trace="${work}/trace"

need_strace archive_crash_test

# Three entries, more than the writer's buffer holds.
for utterance in a b c; do
  echo "${utterance}  ["
  for ((row = 0; row < 1000; ++row)); do echo "  ${row} 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25"; done
  echo "]"
done >"${work}/source.ark"

# attack INJECTION SYSCALL: copies into ${dir}; its exit code in `code`.
attack() {
  rm -rf "${dir}"
  mkdir "${dir}"
  echo old >"${dir}/a.ark"
  echo old >"${dir}/a.scp"
  # In a subshell whose standard error is closed: Bash would report each kill.
  code="$({
    strace -f -y -o "${trace}" -e "trace=$2" ${1:+-e "inject=$2:$1"} \
      "${copy}" "ark:${work}/source.ark" "ark,scp:${dir}/a.ark,${dir}/a.scp" >/dev/null 2>"${work}/stderr"
    echo $?
  } 2>/dev/null)"
}

fail() {
  failures=$((failures + 1))
  echo "FAILED: ${case}: exit ${code}: $*"
}

state() { # FILE: old, new or broken
  if [[ "$(<"${dir}/$1")" == old ]] 2>/dev/null; then echo old
  elif cmp -s "${dir}/$1" "${work}/want.$1"; then echo new
  else echo broken; fi
}

check() {
  cases=$((cases + 1))
  local states
  states="$(state a.ark) $(state a.scp)"
  case "${states}" in
    "old old" | "new old" | "new new") ;;
    *) fail "archive and scp are ${states}" ;;
  esac
  [[ "${code}" == 0 && "${states}" != "new new" ]] && fail "but ${states}"
  [[ "${code}" == 137 ]] && return
  [[ "$(ls -A "${dir}")" == $'a.ark\na.scp' ]] || fail "left: $(ls -A "${dir}")"
  [[ "${case}" == write*+ ]] && return  # no message comes out either
  [[ "${code}" == 0 ]] || grep -qF "error: ${dir}" "${work}/stderr" || fail "$(<"${work}/stderr")"
}

attack "" write
[[ "${code}" == 0 ]] || { echo "FAILED: undisturbed: $(<"${work}/stderr")"; exit 1; }
cp "${dir}/a.ark" "${work}/want.a.ark"
cp "${dir}/a.scp" "${work}/want.a.scp"

for call in openat write fsync close rename; do
  attack "" "${call}"
  total="$(grep -c "^[0-9]* *${call}(" "${trace}")"
  first="$(grep "^[0-9]* *${call}(" "${trace}" | grep -n -m 1 -F "${dir}" | cut -d: -f1)"
  [[ -n "${first}" ]] || { case="${call}"; fail "never called"; continue; }
  errors=(EIO ENOSPC)
  [[ "${call}" == close ]] && errors=(EIO)
  for ((n = first; n <= total; ++n)); do
    case="${call} ${n}, killed"
    attack "signal=SIGKILL:when=${n}" "${call}"
    [[ "${code}" == 137 ]] || fail "not killed"
    check
    for error in "${errors[@]}"; do
      for when in "${n}" "${n}+"; do
        case="${call} ${n}, ${error} when ${when}"
        attack "error=${error}:when=${when}" "${call}"
        check
      done
    done
    # Interrupted calls are repeated.
    case="${call} ${n}, EINTR"
    attack "error=EINTR:when=${n}" "${call}"
    [[ "${code}" == 0 ]] || fail "$(<"${work}/stderr")"
    check
  done
done
echo "archive_crash_test: ${cases} cases, ${failures} failures"
[[ "${failures}" == 0 ]]
