#!/bin/sh
# Print docs/speed.md: how long things take here. Medians of several runs; where a comparison is
# made, both sides alternate in the same minute. What docs/speed_history.csv keeps is left in
# WORK_FOLDER/measured.
# usage: speed.sh BUILD_FOLDER WORK_FOLDER
set -eu
build=$1
work=$2
rows=${BENCH_ROWS:-1000000}

here=$(dirname "$0")
# shellcheck source=tests/bench/lib.sh
. "$here/lib.sh"

now() { date +%s.%N; }
# seconds COMMAND...: wall time of one run, its output thrown away
seconds() {
	from=$(now)
	"$@" >/dev/null 2>&1 || true
	now | awk -v from="$from" '{ printf "%.4f\n", $1 - from }'
}
row() { printf '| %s | %s |\n' "$1" "$2"; }
milliseconds() { awk -v s="$1" 'BEGIN { printf "%.1f ms", 1000 * s }'; }
seconds_2() { printf '%.2f s' "$1"; }

# timed NAME N FORM WHAT COMMAND...: a row with the median wall time of N runs; the processor time, which
# others on the machine disturb less, is kept as NAME
timed() {
	name=$1 n=$2 form=$3 what=$4
	shift 4
	"$build/tests/bench/measure" "$n" "$@" >"$work/timed"
	read -r wall_s cpu_s mad_s _ <"$work/timed"
	keep "processor time: $name" "$cpu_s" s "$mad_s"
	row "$what" "$("$form" "$wall_s")"
}

sh "$here/make_runs.sh" "$rows" >"$work/big.csv"

cat <<MD
# How fast it is

Written by \`make bench\`; never edited by hand. Medians, on a machine that others may use at the same
time: read ratios rather than seconds.

Machine: $(machine), load average $(load) at the start.
$("$build/lemnos" --version | head -1).

## Small questions

| command | median of 9 |
| --- | ---: |
MD
timed help 9 milliseconds '`lemnos --help`' "$build/lemnos" --help
timed recommend 9 milliseconds '`recommend --problem 280x280x255 --deadline 1h` (2 019 runs in the base)' \
	"$build/recommend" --problem 280x280x255 --deadline 1h
timed "recommend to a million nodes" 3 milliseconds \
	'`recommend --problem 1000x1000x1000 --deadline 1d --max-nodes 1000000`' \
	"$build/recommend" --problem 1000x1000x1000 --deadline 1d --max-nodes 1000000

cat <<'MD'

## The search, inside the process

| question | value | unit |
| --- | ---: | --- |
MD
"$build/tests/bench/bench_recommend" >"$work/search"
awk '$3 == "ms" { sub(/_time$/, "", $1); gsub(/_/, " ", $1); printf "search: %s,%.6f,s,0\n", $1, $2 / 1000 }' \
	"$work/search" >>"$work/measured"
awk '{ printf "| %s | %s | %s |\n", $1, $2, $3 }' "$work/search"

cat <<'MD'

## Statistics, hypotheses, rankings and rules, inside the process

Of runs of Sweep3D that a fixed generator makes in memory (14 columns as imported, 23 with those
that follow from them), mostly distinct configurations. Without loading and without the fit of
the predictor. Processor time is that of all threads, system time included; memory is that of the
process, the runs among it.

| runs | wall time | processor time | most memory |
| --- | ---: | ---: | ---: |
MD
mining() { "$build/tests/bench/bench_mining" "$1" >"$work/mining.$1"; }
mined="100000 1000000"
[ -z "${BENCH_HUGE:-}" ] || mined="$mined 10000000"
for n in $mined; do
	mining "$n"
	keep "processor time: mining $n runs in memory" "$(awk '$1 == "all" { print $3 }' "$work/mining.$n")" s 0
	awk -v n="$n" '$1 == "all" { printf "| %d | %.2f s | %.2f s | %.0f MB |\n", n, $2, $3, $4 }' "$work/mining.$n"
done
[ -n "${BENCH_HUGE:-}" ] || printf '\nTen million runs are not measured unless BENCH_HUGE is set.\n'
printf '\nThe parts, processor time:\n\n| part |'
for n in $mined; do printf ' %s runs |' "$n"; done
printf '\n| --- |'
for n in $mined; do printf ' ---: |'; done
echo
# a table of step by size, and what "all" does besides the steps
for n in $mined; do sed "s/^/$n /" "$work/mining.$n"; done | awk '
	$2 == "rows_made" { next }
	!($1 in seen) { seen[$1] = 1; size[++n_sizes] = $1 }
	$2 == "all" { rest[$1] = $4; next }
	!($2 in known) { known[$2] = 1; step[++n_steps] = $2 }
	{ cpu[$2, $1] = $4; rest[$1] -= $4 }
	END {
		for (s = 1; s <= n_steps; s++) {
			name = step[s]; gsub(/_/, " ", name); printf "| %s |", name
			for (k = 1; k <= n_sizes; k++) printf " %.3f s |", cpu[step[s], size[k]]
			print ""
		}
		printf "| counting what rules rest on |"
		for (k = 1; k <= n_sizes; k++) printf " %.3f s |", (rest[size[k]] > 0 ? rest[size[k]] : 0)
		print ""
	}'

cat <<MD

## A base of $rows runs (14 columns, $(awk -v b="$(wc -c <"$work/big.csv")" 'BEGIN { printf "%.0f MB", b / 1e6 }') of CSV)
MD
sh "$here/import.sh" "$build" "$work" "$rows"
cat <<'MD'

### What it is asked then

| what | value |
| --- | ---: |
MD
row 'loading its runs into memory' "$("$build/tests/bench/bench_mining" "$work/big.kb" | awk '{ print $2 }') s"
timed "mine of $rows runs" 1 seconds_2 '`mine` of it, once' "$build/lemnos" mine --quiet --kb "$work/big.kb"
timed "recommend on $rows runs" 5 milliseconds '`recommend` on it (median of 5)' \
	"$build/recommend" --kb "$work/big.kb" --problem 280x280x255 --deadline 1h --max-nodes 256
timed "predict --from $rows rows" 1 seconds_2 "\`predict --from\` of its $rows rows, once" \
	"$build/lemnos" predict --quiet --kb "$work/big.kb" --from "$work/big.csv"
