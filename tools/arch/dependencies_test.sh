#!/bin/bash
# dependencies_test.sh FORBIDDEN TARGETS: the first query's answer is empty, the second one's is not.
set -u
[[ -s "$2" ]] || { echo "the query finds no targets of this package"; exit 1; }
if ! diff /dev/null "$1"; then
  echo "these must not be reached from here (CONTRIBUTING.md, Where things are)"
  exit 1
fi
echo "$(wc -l <"$2") targets reach nothing that they must not"
