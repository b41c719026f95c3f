#!/bin/bash
# What tests reach of lines and branches: a table by room, what is left by its reason, and failure below
# the floors. Leaves in BUILD_FOLDER the folder coverage, line by line, and left.txt, each line not reached.
# usage: CC=CLANG coverage.sh BUILD_FOLDER ROOM...     environment: COVERAGE_HTML=no leaves the folder coverage out
#
# Branches are those of conditions in the source, two for each operand of && and ||, and the cases of a switch: clang
# counts regions of the source (-fcoverage-mapping) and knows of no sanitizer. Those of assert() are left out.
# Threads count without locks, which would take four times as long as the tests do: a count may be too small,
# hardly ever zero.
set -euo pipefail
build=$1
shift
here=$(dirname "$0")
# A little under what holds today; to be raised with it.
lines_at_least=96
branches_at_least=87

# The programs of a compiler are called as it is: clang-14, llvm-cov-14.
llvm() { # cov | profdata, ARGUMENT...
	local version
	version=$($CC -dumpversion)
	if command -v "llvm-$1-${version%%.*}" >/dev/null; then
		"llvm-$1-${version%%.*}" "${@:2}"
	else
		"llvm-$1" "${@:2}"
	fi
}

objects=()
for room; do
	for object in "$build/obj/$room"/*.o; do
		[ ! -e "$object" ] || objects+=(-object "$object")
	done
done
llvm profdata merge -sparse -o "$build/coverage.profdata" "$build"/counts/*.profraw
with=(-instr-profile="$build/coverage.profdata" "${objects[@]:1}")
pages=
if [ "${COVERAGE_HTML-}" != no ]; then
	rm -rf "$build/coverage"
	llvm cov show -format=html -show-branches=count -output-dir="$build/coverage" "${with[@]}" >/dev/null
	pages="; line by line: $build/coverage/index.html"
fi
llvm cov export -format=lcov "${with[@]}" |
	awk -v top="$PWD" -v rooms="$*" -f "$here/coverage_lines.awk" | sort -t "$(printf '\t')" -k 1,1 -k 2,2n >"$build/coverage.tsv"

awk -F '\t' '$3 == 0 { printf "%s\t%s:%d: %s\n", $6, $1, $2, $7 }' "$build/coverage.tsv" | sort >"$build/left.txt"

failed=0
awk -F '\t' -v lines_at_least=$lines_at_least -v branches_at_least=$branches_at_least '
	function line(room) {
		printf "%-18s %7d  %5.1f %%  %8d  %5.1f %%\n", room, lines[room], 100 * hit[room] / lines[room],
			branches[room], branches[room] ? 100 * taken[room] / branches[room] : 100
	}
	function add(room) { lines[room]++; hit[room] += $3 > 0; branches[room] += $4; taken[room] += $5 }
	{
		room = $1
		sub("/[^/]*$", "", room)
		if (!(room in lines)) order[++n] = room
		add(room)
		add("all")
	}
	END {
		printf "%-18s %7s  %7s  %8s  %7s\n", "room", "lines", "reached", "branches", "taken"
		for (i = 1; i <= n; i++) line(order[i])
		line("all")
		exit 100 * hit["all"] < lines_at_least * lines["all"] || 100 * taken["all"] < branches_at_least * branches["all"]
	}' "$build/coverage.tsv" || failed=1
echo
echo "lines not reached, by what they are for (docs/coverage.md):"
cut -f 1 "$build/left.txt" | uniq -c
echo "each of them: $build/left.txt$pages"
[ $failed -eq 0 ] || {
	echo "below the floor of $lines_at_least % of the lines, $branches_at_least % of the branches" >&2
	exit 1
}
