#!/bin/bash
# Which lines of its room a test executes: no other test can notice a change of such a line.
# usage: reached.sh BUILD TEST     BUILD has gcov's counters, TEST is BUILD/tests/unit/ROOM/test_MODULE
# Prints what reached.awk does. Counters go to a folder of their own, so that tests may run side by side.
set -euo pipefail
room=$(basename "$(dirname "$2")")
objects=$(cd "$1/obj/$room" && pwd)
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/tmp"
GCOV_PREFIX=$work/counters TMPDIR=$work/tmp "$2" >"$work/said" 2>&1 || {
	cat "$work/said" >&2
	exit 1
}
[ -d "$work/counters$objects" ] || exit 0 # it executes nothing of this room
ln -s "$objects"/*.gcno "$work/counters$objects"
gcov -t "$work/counters$objects"/*.gcda 2>"$work/said" | awk -f "$here/reached.awk"
