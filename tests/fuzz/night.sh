#!/bin/bash
# Fuzz the targets one after another, whichever was fuzzed least so far first, so that a night goes on where the
# last one stopped; after each, keep the inputs that reach new code (corpus.sh merge) and add what was done
# to the table of docs/fuzzing.md. ^C ends the night; what was done until then counts.
# usage: night.sh BUILD_FOLDER SECONDS TARGET...     environment: CC (a clang), MAKE, SEED, TABLE (a file
#        instead of docs/fuzzing.md)
set -euo pipefail
build=$1 seconds=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
table=${TABLE:-$here/../../docs/fuzzing.md}
failed=

row() { # TARGET: executions, seconds, inputs found as they stand in the table
	awk -F'|' -v target="$1" '
		{ name = $2; gsub(/ /, "", name) }
		name == target { for (i = 3; i <= 5; i++) gsub(/[^0-9]/, "", $i); n = $3; s = $4; f = $5 }
		END { print n + 0, s + 0, f + 0 }' "$table"
}

# TARGET: how many executions its last log tells of; of one that was cut short the last it mentioned.
executions() {
	awk '/^stat::number_of_executed_units:/ { total = $2 }
	     /^#[0-9]+/ { n = substr($1, 2) + 0; if (n > seen) seen = n }
	     END { printf "%.0f\n", (total + 0 > seen ? total + 0 : seen + 0) }' "$build/fuzz/$1.log" 2>/dev/null || echo 0
}

found() { # TARGET: inputs that it failed at and that were not looked at yet
	find "$build/found/$1" -type f | wc -l
}

with_spaces() { # 1 234 567
	echo "$1" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\| \)/\1 \2\3/; ta'
}

# TARGET EXECUTIONS SECONDS FOUND: to be added to its row, which is made if there is none.
add() {
	local n s f line
	read -r n s f < <(row "$1")
	line="| $1 | $(with_spaces $((n + $2))) | $(with_spaces $((s + $3))) | $((f + $4)) | $(grep -c . "$here/corpus/$1.inputs" || true) | $(date -u +%Y-%m-%d) |"
	awk -v target="$1" -v line="$line" '
		/^\|/ { split($0, c, "|"); name = c[2]; gsub(/ /, "", name); in_table = 1 }
		/^\|/ && name == target { print line; done = 1; next }
		in_table && (!/^\|/ || name == "all") && !done { print line; done = 1 }
		{ print }' "$table" >"$build/night.table"
	total <"$build/night.table" >"$table"
}

total() { # the row of all
	awk -F'|' '
		function number(text) { gsub(/[^0-9]/, "", text); return text + 0 }
		function spaced(x,  s, out) {
			s = sprintf("%.0f", x)
			while (length(s) > 3) { out = " " substr(s, length(s) - 2) out; s = substr(s, 1, length(s) - 3) }
			return s out
		}
		/^\|/ { name = $2; gsub(/ /, "", name) }
		/^\|/ && name == "all" {
			printf "| all | %s | %s | %d | %d | |\n", spaced(n), spaced(s), f, k
			next
		}
		/^\|/ { n += number($3); s += number($4); f += number($5); k += number($6) }
		{ print }'
}

by_least() { # TARGET...: in the order of the seconds so far
	local target n s f
	for target; do
		read -r n s f < <(row "$target")
		printf '%d %s\n' "$s" "$target"
	done | sort -n -k1,1 -k2,2 | cut -d ' ' -f 2
}

fuzz() { # TARGET
	local start=$SECONDS before status=0
	mkdir -p "$build/found/$1"
	before=$(found "$1")
	rm -f "$build/fuzz/$1.log"
	JOBS=1 MAKE=true bash "$here/run.sh" "$build" "$seconds" "$1" || status=$?
	[ -e "$build/fuzz/$1.log" ] || exit 1 # there is no libFuzzer, or nothing was built
	[ $status -eq 0 ] || failed+=" $1"
	if [ "$stopped" = no ]; then
		sh "$here/corpus.sh" merge "$1" "$build/fuzz/$1" "$build/corpus/$1" >"$build/fuzz/$1.merge.log" 2>&1 ||
			failed+=" $1(merge)"
	fi
	add "$1" "$(executions "$1")" $((SECONDS - start < seconds ? SECONDS - start : seconds)) $(($(found "$1") - before))
}

stopped=no
trap 'stopped=yes' INT TERM
mkdir -p "$build"
${MAKE:-make} --no-print-directory fuzz-build # once: what is edited meanwhile is for the next night
for target in $(by_least "$@"); do
	[ $stopped = no ] || break
	fuzz "$target"
done
sed -n '/^| all/p' "$table"
[ $stopped = no ] || exit 130
if [ -n "$failed" ]; then
	echo "fuzzing: FAILED:$failed; the inputs are in $build/found" >&2
	exit 1
fi
