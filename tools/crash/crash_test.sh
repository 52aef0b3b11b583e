#!/bin/bash
# Saving checkpoints under attack: strace kills the program at every one of its file system calls, or
# lets the call fail, once or from then on. Afterwards the newest checkpoint must be intact, nothing
# half-written may stay, and going on must end with the same bytes as a run that nobody disturbed.
#
#   crash_test.sh SAVE_PROBE         (asr/checkpoint/testing/save_probe_main.cc)
set -u
source tools/crash/attack.sh

probe="$(realpath "$1")"
make_work crash
dir="${work}/run"      # where the attacked program works
trace="${work}/trace"
steps=3
need_strace crash_test

declare -A text=(
  [ENOSPC]="No space left on device" [EIO]="Input/output error" [EDQUOT]="Disk quota exceeded"
  [EMFILE]="Too many open files" [EACCES]="Permission denied" [EINTR]="Interrupted system call"
)

# A fresh directory for the next attack: start 0 is none at all, start 2 has checkpoints of steps 1
# and 2 and what a dead process left half-written.
prepare() {
  rm -rf "${dir}"
  if [[ "$1" == 2 ]]; then cp -r "${work}/start" "${dir}"; fi
}

# attack MODE INJECTION SYSCALL: runs the probe under strace; its exit code in `code`.
attack() {
  local mode="$1" injection="$2" call="$3"
  # In a subshell whose standard error is closed: Bash would report each kill.
  code="$({
    strace -f -y -o "${trace}" -e "trace=${call}" ${injection:+-e "inject=${call}:${injection}"} \
      "${probe}" "${mode}" "${dir}" "${steps}" >/dev/null 2>"${work}/stderr"
    echo $?
  } 2>/dev/null)"
}

# Calls of SYSCALL in an undisturbed run: sets `first` (the first that concerns our directory; those
# before it belong to the dynamic loader) and `total`.
count_calls() {
  prepare "$2"
  attack "$1" "" "$3"
  total="$(grep -c "^[0-9]* *$3(" "${trace}")"
  first="$(grep "^[0-9]* *$3(" "${trace}" | grep -n -m 1 -F "${dir}" | cut -d: -f1)"
  first="${first:-$((total + 1))}"
}

# After the attack: nothing older than START, going on works, and ends as the undisturbed run did.
check_recovery() {
  local start="$1" step difference
  step="$("${probe}" save "${dir}" "${steps}" 2>"${work}/stderr")" || { fail "resume: $(<"${work}/stderr")"; return; }
  ((step >= start)) || fail "fell back from step ${start} to ${step}"
  difference="$(diff -rq --exclude=lock "${dir}" "${work}/want")" || fail "${difference}"
}

# kill_at_every_call MODE START SYSCALL...
kill_at_every_call() {
  local mode="$1" start="$2" call n
  shift 2
  for call in "$@"; do
    count_calls "${mode}" "${start}" "${call}"
    for ((n = first; n <= total + 1; ++n)); do
      case="kill at ${call} ${n} of ${total}, from step ${start}"
      prepare "${start}"
      attack "${mode}" "signal=SIGKILL:when=${n}" "${call}"
      cases=$((cases + 1))
      ((code == (n <= total ? 137 : 0))) || fail "exit ${code}: $(<"${work}/stderr")"
      check_recovery "${start}"
    done
  done
}

# Exit 0 is right only if the failed call did not matter: it was tried again (EINTR), it only closed
# something that had been read, or it was to delete a leftover.
check_error() {
  local error="$1" call="$2" hit
  if [[ "${code}" == 0 ]]; then
    [[ "${error}" == EINTR || "${call}" == unlink ]] && return
    hit="$(grep -F INJECTED "${trace}" | grep -F "${dir}" | grep -vE 'close\([0-9]+<[^>]*/(run|lock|(last|previous|best)\.safetensors)>')"
    [[ -z "${hit}" ]] || fail "exit 0 after ${hit%%$'\n'*}"
  elif [[ "${error}" == EINTR ]]; then
    fail "exit ${code}, not tried again: $(<"${work}/stderr")"
  elif [[ "${code}" != 1 ]]; then
    fail "exit ${code}: $(<"${work}/stderr")"
  elif ! grep -qE "^error: ${dir}[^ ]*: cannot [^:]+: ${text[${error}]}" "${work}/stderr"; then
    # With every write failing, the message cannot be written either.
    grep -qE "write\(2<.*INJECTED" "${trace}" || fail "message: $(<"${work}/stderr")"
  fi
}

# fail_every_call MODE START SYSCALL... (from an empty directory, which means more calls, with fewer errors)
fail_every_call() {
  local mode="$1" start="$2" call error n forever errors=(ENOSPC EIO)
  ((start > 0)) && errors+=(EDQUOT EMFILE EACCES EINTR)
  shift 2
  for call in "$@"; do
    count_calls "${mode}" "${start}" "${call}"
    for error in "${errors[@]}"; do
      for ((n = first; n <= total; ++n)); do
        for forever in "" "+"; do
          [[ "${error}" == EINTR && -n "${forever}" ]] && continue  # would be tried again for ever
          case="${error} at ${call} ${n}${forever} of ${total}, from step ${start}"
          prepare "${start}"
          attack "${mode}" "error=${error}:when=${n}${forever}" "${call}"
          cases=$((cases + 1))
          check_error "${error}" "${call}"
          check_recovery "${start}"
        done
      done
    done
  done
}

# A disk that is really full: a small tmpfs, filled up to a different level each time.
fill_disks() {
  local kilobytes
  mkdir -p "${work}/disk"
  for ((kilobytes = 0; kilobytes <= 152; kilobytes += 8)); do
    case="disk with ${kilobytes} KiB free"
    mount -t tmpfs -o size=256k none "${work}/disk" || { fail "mount"; return; }
    dir="${work}/disk/run"
    prepare 2
    head -c 1M /dev/zero >"${work}/disk/fill" 2>/dev/null
    truncate -s "-${kilobytes}K" "${work}/disk/fill"
    "${probe}" save "${dir}" "${steps}" >"${work}/stdout" 2>"${work}/stderr"
    code=$?
    cases=$((cases + 1))
    if ((kilobytes < 16 && code == 0)); then fail "exit 0"; fi
    if ((code != 0)); then
      grep -qE "^error: ${dir}[^ ]*: cannot [^:]+: No space left on device" "${work}/stderr" ||
        fail "exit ${code}: $(<"${work}/stderr")"
    fi
    rm "${work}/disk/fill"
    check_recovery 2
    umount "${work}/disk"
  done
}

# The same attacks must find what is wrong with saving in place: a damaged file after a kill, an error that nobody sees.
negative_control() {
  kill_at_every_call overwrite 2 writev >"${work}/control"
  fail_every_call overwrite 2 writev >>"${work}/control"
  local symptom
  for symptom in "kill at writev .* damaged" "ENOSPC at writev .* exit 0 after"; do
    if grep -q "${symptom}" "${work}/control"; then
      echo "control: saving in place is found: $(grep -m 1 -o "${symptom}" "${work}/control")"
    else
      echo "FAILED: saving in place was not found: ${symptom}"
      bad=$((bad + 1))
    fi
  done
}

# Mounting needs a process with namespaces of its own.
if [[ "${2:-}" == --fill-disks ]]; then
  cp -r "$3/start" "$3/want" "${work}"
  fill_disks
  echo "full disk: ${cases} cases, ${failures} failures"
  exit $((failures > 0))
fi

"${probe}" save "${work}/want" "${steps}" >"${work}/stdout" && "${probe}" save "${work}/start" 2 >"${work}/stdout" || exit 1
echo half >"${work}/start/.last.safetensors.tmp.2000000000"

calls=(openat write fsync close rename unlink mkdir flock ftruncate pwrite64)
for start in 0 2; do kill_at_every_call save "${start}" "${calls[@]}" pread64 getdents64; done
bad="${failures}"
echo "kills: ${cases} cases, ${failures} failures"
cases=0 failures=0
for start in 0 2; do fail_every_call save "${start}" "${calls[@]}"; done
bad=$((bad + failures))
echo "errors: ${cases} cases, ${failures} failures"
if unshare -rm true 2>/dev/null; then
  unshare -rm bash "$0" "${probe}" --fill-disks "${work}" || bad=$((bad + 1))
else
  echo "SKIPPED: crash_test: the full disk needs unshare -rm"
fi
negative_control
((bad == 0))
