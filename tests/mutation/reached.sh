#!/bin/bash
# Which lines of a room a test executes: only these tests can notice a change of such a line.
# usage: reached.sh BUILD ROOM TEST     BUILD has gcov's counters, TEST is one of its programs
# Prints what reached.awk does. Counters go to a folder of their own, so that tests may run side by side.
set -euo pipefail
objects=$(cd "$1/obj/$2" && pwd)
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/tmp"
GCOV_PREFIX=$work/counters TMPDIR=$work/tmp "$3" >"$work/said" 2>&1 || {
	cat "$work/said" >&2
	exit 1
}
[ -d "$work/counters$objects" ] || exit 0 # it executes nothing of this room
ln -s "$objects"/*.gcno "$work/counters$objects"
gcov -t "$work/counters$objects"/*.gcda 2>"$work/said" | awk -f "$here/reached.awk"
