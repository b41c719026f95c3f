#!/bin/bash
# Which lines of its room a test executes: no other test can notice a change of such a line.
# usage: reached.sh BUILD TEST     BUILD has gcov's counters, TEST is BUILD/tests/unit/ROOM/test_MODULE
#   or BUILD/tests/unit/ROOM/INNER/test_MODULE: lines of all rooms inside ROOM
# Prints what reached.awk does. Counters go to a folder of their own, so that tests may run side by side.
set -euo pipefail
room=${2#"$1"/tests/unit/}
objects=$(cd "$1/obj/${room%%/*}" && pwd)
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/tmp"
GCOV_PREFIX=$work/counters TMPDIR=$work/tmp "$2" >"$work/said" 2>&1 || {
	cat "$work/said" >&2
	exit 1
}
[ -d "$work/counters$objects" ] || exit 0 # it executes nothing of this room
# gcov wants what the compiler noted beside the counters
find "$work/counters$objects" -name '*.gcda' -printf '%P\n' >"$work/counted"
while IFS= read -r counted; do
	ln -s "$objects/${counted%.gcda}.gcno" "$work/counters$objects/${counted%.gcda}.gcno"
done <"$work/counted"
sed "s|^|$work/counters$objects/|" "$work/counted" | xargs gcov -t 2>"$work/said" | awk -f "$here/reached.awk"
