#!/bin/bash
# Runs one check of checks.sh on this repository: arch_test.sh CHECK WORKSPACE_FILE.
set -u
source "$(dirname "$0")/checks.sh"

# The sandbox links to the WORKSPACE file; the tree is around the file itself.
root="$(dirname "$(readlink -f "$2")")"
[[ -d "${root}/base" ]] || { echo "no source tree at ${root}"; exit 1; }
declare -F "check_$1" >/dev/null || { echo "no check named $1"; exit 1; }
violations="$("check_$1" "${root}")"
if [[ -n "${violations}" ]]; then
  echo "${violations}"
  echo "$(wc -l <<<"${violations}") violations of: $1 (tools/arch/checks.sh says what it means)"
  exit 1
fi
echo "$1 holds"
