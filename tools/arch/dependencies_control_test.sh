#!/bin/bash
# dependencies_control_test.sh SCRIPT REACHED TARGETS: the script refuses a query that found something.
set -u
if bash "$1" "$2" "$3"; then
  echo "accepted"
  exit 1
fi
echo "refused, as it should"
