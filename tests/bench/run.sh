#!/bin/sh
# make bench: measure accuracy on held-out runs and speed, and write docs/evaluation.md and
# docs/speed.md from what was measured. Not part of the tests: timings never decide anything.
# usage: run.sh BUILD_FOLDER
set -eu
build=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export LC_ALL=C LEMNOS_KB="$work/bench.kb"
"$build/lemnos" init --with-data >/dev/null
"$build/lemnos" mine >/dev/null
sh "$here/accuracy.sh" "$build" "$work" >"$work/evaluation.md"
mv "$work/evaluation.md" docs/evaluation.md
for picture in "$work"/pictures/*.svg; do
	[ ! -r "$picture" ] || mv "$picture" docs/
done
echo "wrote docs/evaluation.md"
sh "$here/speed.sh" "$build" "$work" >"$work/speed.md"
mv "$work/speed.md" docs/speed.md
echo "wrote docs/speed.md"
