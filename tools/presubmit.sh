#!/bin/bash
# What to run before a change is proposed: tools/presubmit.sh [BASE]. Formats are checked on the files
# that differ from BASE (default: main); the build and the tests are the whole repository's.
set -uo pipefail
cd "$(dirname "$0")/.."

base="$(git merge-base "${1:-main}" HEAD)" || exit 2
status=0
fail() {
  echo "presubmit: $*" >&2
  status=1
}

mapfile -t changed < <(
  { git diff --name-only --diff-filter=d "${base}"; git ls-files --others --exclude-standard; } |
    grep -E '\.(h|cc|cu|proto)$'
)
if [[ ${#changed[@]} == 0 ]]; then
  echo "presubmit: no sources differ from ${base:0:12}"
elif command -v clang-format >/dev/null; then
  clang-format --dry-run --Werror "${changed[@]}" || fail "format with: clang-format -i ${changed[*]}"
else
  echo "SKIPPED: format check, no clang-format here (Debian package clang-format)"
fi

# Whoever adds a line to the allow-list of file sizes splits the file instead.
allow=tools/arch/size_allowlist.txt
added="$(git diff "${base}" -- "${allow}" | grep -E '^\+[a-z]' || true)"
if [[ -n "${added}" ]] && git cat-file -e "${base}:${allow}" 2>/dev/null; then
  while read -r path lines; do
    before="$(git show "${base}:${allow}" | awk -v path="${path#+}" '$1 == path { print $2 }')"
    [[ -n "${before}" && "${lines}" -le "${before}" ]] || fail "${allow}: ${path} ${lines}: it may only shrink"
  done <<<"${added}"
fi

tools/bazel build //... || fail "the build fails"
tools/bazel test --keep_going //... || fail "tests fail"
[[ "${status}" == 0 ]] && echo "presubmit: all good"
exit "${status}"
