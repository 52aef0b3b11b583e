#!/bin/bash
# Tests tools/bazel with stand-ins for dpkg-query, apt-get and sudo: nothing is installed.
# Argument: the wrapper.
set -u

wrapper="$(readlink -f "$1")"
work="$(mktemp -d "${TEST_TMPDIR:-/tmp}/wrapper.XXXXXX")"
failures=0

stand_in() {
  local folder="${work}/$1" name="$2"
  shift 2
  mkdir -p "${folder}"
  printf '#!/bin/bash\n%s\n' "$*" >"${folder}/${name}"
  chmod +x "${folder}/${name}"
}

# The programs that the wrapper calls, without the system's dpkg, apt-get and sudo.
mkdir -p "${work}/system"
for program in bash cat cut dirname env flock getent sed sleep tr; do
  ln -s "$(command -v "${program}")" "${work}/system/${program}"
done
# dpkg-query: knows the packages of ${work}/installed; apt-get install adds its arguments to it.
stand_in debian dpkg-query 'shift 2; for p in "$@"; do
  grep -qx "$p" '"${work}"'/installed && printf "installed:%s " "$p"; done; true'
stand_in debian apt-get 'echo "apt-get $*"; [[ "$*" == *" update"* ]] && exit 0
  for p in "$@"; do echo "$p" >>'"${work}"'/installed; done'
stand_in debian sudo '"$@"'
stand_in broken apt-get 'echo "E: Unable to locate package"; exit 100'
stand_in real bazel-real 'echo "bazel: $*"'
ln -s "$(command -v grep)" "${work}/system/grep"
printf '# comment\none\ntwo # why\n\nthree\n' >"${work}/packages.txt"

# call PATH_FOLDERS ARGUMENT...: runs the wrapper; sets out, err, code.
call() {
  local folders="$1" path="${work}/system" log="${work}/err.${BASHPID}" folder
  shift
  for folder in ${folders}; do path="${work}/${folder}:${path}"; done
  out="$(env -i PATH="${path}" EARSHOT_PACKAGES_FILE="${work}/packages.txt" BAZEL_REAL="${work}/real/bazel-real" \
    ${extra:-} "${wrapper}" "$@" 2>"${log}" </dev/null)"
  code=$?
  err="$(cat "${log}")"
}

expect() {
  local what="$1"
  shift
  if ! "$@"; then
    echo "FAILED: ${what}; exit ${code}"
    echo "stdout: ${out}"
    echo "stderr: ${err}"
    failures=$((failures + 1))
  fi
}

holds() { [[ "$1" == *"$2"* ]]; }
is() { [[ "$1" == "$2" ]]; }

: >"${work}/installed"
call debian run //x:y -- --flag="a b"
expect "installs, then runs Bazel with the arguments" is "${code}:${out}" "0:bazel: run //x:y -- --flag=a b"
expect "says what it installs, on stderr" holds "${err}" "3 packages are missing"
expect "calls apt-get" holds "${err}" "install --no-install-recommends one two three"

call debian info
expect "silent when all is there" is "${code}:${out}:${err}" "0:bazel: info:"

printf 'one\nthree\n' >"${work}/installed"
call debian info
expect "installs only what is missing" holds "${err}" "--no-install-recommends two"

: >"${work}/installed"
call "debian broken" info
expect "a failing apt-get stops it" is "${code}:${out}" "1:"
expect "with the command to type" holds "${err}" "apt-get install --no-install-recommends one two three"

call "" info
expect "without dpkg it stops" is "${code}" 1
expect "and says what is needed" holds "${err}" "one two three"
extra=EARSHOT_NO_INSTALL=1 call "" info
expect "unless told not to install" is "${code}:${out}" "0:bazel: info"

if [[ "${EUID}" != 0 ]]; then
  rm "${work}/debian/sudo"
  call debian info
  expect "neither root nor sudo" holds "${code}:${err}" "1:tools/bazel: these packages are missing, and only root"
else
  echo "SKIPPED: bazel_test: what the wrapper says without root and sudo; this is root"
fi

# Two at once: one installs, the other waits and finds nothing to do.
: >"${work}/installed"
stand_in debian apt-get 'echo "apt-get $*"; [[ "$*" == *" update"* ]] && exit 0; sleep 0.3
  for p in "$@"; do echo "$p" >>'"${work}"'/installed; done'
stand_in debian sudo '"$@"'
(
  call debian info
  echo "${err}" >"${work}/first"
) &
call debian info
wait
both="$(cat "${work}/first"; echo "${err}")"
expect "two at once install once" is "$(grep -c '^apt-get .* install ' <<<"${both}")" 1

[[ "${failures}" == 0 ]] && echo "the wrapper behaves"
exit "${failures}"
