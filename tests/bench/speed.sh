#!/bin/sh
# Print docs/speed.md: how long things take here. Medians of several runs; where a comparison is
# made, both sides alternate in the same minute.
# usage: speed.sh BUILD_FOLDER WORK_FOLDER
set -eu
build=$1
work=$2
rows=${BENCH_ROWS:-1000000}

now() { date +%s.%N; }
# seconds COMMAND...: wall time of one run, its output thrown away
seconds() {
	from=$(now)
	"$@" >/dev/null 2>&1 || true
	now | awk -v from="$from" '{ printf "%.4f\n", $1 - from }'
}
median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
# repeat N COMMAND...: the median of N runs [s]
repeat() {
	times=$1
	shift
	for _ in $(seq "$times"); do seconds "$@"; done | median
}
row() { printf '| %s | %s |\n' "$1" "$2"; }
milliseconds() { awk -v s="$1" 'BEGIN { printf "%.1f ms", 1000 * s }'; }

# A million plausible Sweep3D runs of 14 columns.
awk -v n="$rows" 'BEGIN {
	srand(7); print "app,machine,source,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,repeat"
	split("1 5 10 25 50", mk, " "); split("1 2 3 6", mmi, " ")
	for (i = 1; i <= n; i++) {
		c = 50 * (1 + int(6 * rand())); p = 2 ^ (1 + int(4 * rand())); q = 2 ^ int(4 * rand())
		k = mk[1 + int(5 * rand())]; m = mmi[1 + int(4 * rand())]
		printf "sweep3d,big,simulated,%d,%d,%d,%d,%d,%d,%d,%d,12,%.6f,%d\n", c, c, c, p, q, p * q,
			k, m, c * c * c / (p * q) * 1e-6 * (1 + 0.1 * rand()) * (1 + 1 / k), 1 + int(3 * rand())
	}
}' >"$work/big.csv"

cat <<MD
# How fast it is

Written by \`make bench\`; never edited by hand. Medians, on a machine that others may use at the same
time: read ratios rather than seconds.

Machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) processors,
$(awk '/MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo) memory, load average $(cut -d' ' -f1 /proc/loadavg) at the start. $("$build/lemnos" --version | head -1).

## Small questions

| command | median of 9 |
| --- | ---: |
MD
row '`lemnos --help`' "$(milliseconds "$(repeat 9 "$build/lemnos" --help)")"
row '`recommend --problem 280x280x255 --deadline 1h` (2 019 runs in the base)' \
	"$(milliseconds "$(repeat 9 "$build/recommend" --problem 280x280x255 --deadline 1h)")"
row '`recommend --problem 1000x1000x1000 --deadline 1d --max-nodes 1000000`' \
	"$(milliseconds "$(repeat 3 "$build/recommend" --problem 1000x1000x1000 --deadline 1d --max-nodes 1000000)")"

cat <<'MD'

## The search, inside the process

| question | value | unit |
| --- | ---: | --- |
MD
"$build/tests/bench/bench_recommend" | awk '{ printf "| %s | %s | %s |\n", $1, $2, $3 }'

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

| what | value |
| --- | ---: |
MD
import() {
	rm -f "$work/big.kb" "$work/big.kb-wal" "$work/big.kb-shm"
	"$build/lemnos" init --kb "$work/big.kb"
	"$build/lemnos" ingest --quiet --kb "$work/big.kb" --app sweep3d "$work/big.csv"
}
shell_import() {
	rm -f "$work/shell.db"
	sqlite3 "$work/shell.db" '.mode csv' ".import $work/big.csv run"
}
for _ in 1 2 3; do
	seconds import >>"$work/import"
	seconds shell_import >>"$work/shell_import"
done
ours=$(median <"$work/import")
theirs=$(median <"$work/shell_import")
row 'import: validated, indexed, known rows looked for (median of 3)' "$ours s"
row '`sqlite3 .import` of the same file into an untyped table (median of 3)' "$theirs s"
row 'ratio of the two' "$(awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "%.2f", a / b }')"
if command -v /usr/bin/time >/dev/null 2>&1; then
	rm -f "$work/big.kb"*
	"$build/lemnos" init --kb "$work/big.kb" >/dev/null
	/usr/bin/time -f %M -o "$work/memory" "$build/lemnos" ingest --quiet --kb "$work/big.kb" \
		--app sweep3d "$work/big.csv" >/dev/null 2>&1
	row 'most memory during the import' "$(awk '{ printf "%.0f MB", $1 / 1000 }' "$work/memory")"
fi
row 'loading its runs into memory' "$("$build/tests/bench/bench_mining" "$work/big.kb" | awk '{ print $2 }') s"
row '`mine` of it, once' "$(seconds "$build/lemnos" mine --quiet --kb "$work/big.kb") s"
row '`recommend` on it (median of 5)' \
	"$(milliseconds "$(repeat 5 "$build/recommend" --kb "$work/big.kb" --problem 280x280x255 --deadline 1h --max-nodes 256)")"
row "\`predict --from\` of its $rows rows, once" \
	"$(seconds "$build/lemnos" predict --quiet --kb "$work/big.kb" --from "$work/big.csv") s"
