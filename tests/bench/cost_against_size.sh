#!/bin/sh
# Print docs/cost_against_size.md: time and memory of the commands from a thousand runs on, with the
# exponent of each; two pictures go to WORK_FOLDER/pictures, if gnuplot is installed. What
# docs/speed_history.csv keeps is left in WORK_FOLDER/measured.
# usage: [BENCH_HUGE=1 | BENCH_SIZES="1000 10000"] cost_against_size.sh BUILD_FOLDER WORK_FOLDER
# BENCH_HUGE: ten million runs, too; takes many minutes and gigabytes of disk.
set -eu
build=$1
work=$2
here=$(dirname "$0")
# shellcheck source=tests/bench/lib.sh
. "$here/lib.sh"
lemnos=$build/lemnos
commands="ingest mine recommend predict"
sizes="${BENCH_SIZES:-1000 10000 100000 1000000${BENCH_HUGE:+ 10000000}}"

# ---- measuring, into $work/costs: lines `command rows wall-seconds cpu-seconds megabytes`

measure_copy() { # COMMAND...: with a copy of from.kb as size.kb
	rm -f "$work/size.kb"*
	cp "$work/from.kb" "$work/size.kb"
	"$build/tests/bench/measure" 1 "$@" --quiet --kb "$work/size.kb" >>"$work/parts"
}

cost() { # NAME ROWS COMMAND...: medians of three, or what was measured once where that took a second
	name=$1 n=$2
	shift 2
	echo "$name, $n runs" >&2
	: >"$work/parts"
	measure_copy "$@"
	if awk '{ exit $2 >= 1 }' "$work/parts"; then
		measure_copy "$@"
		measure_copy "$@"
	fi
	echo "$name $n $(cut -d ' ' -f 1 "$work/parts" | median) $(cut -d ' ' -f 2 "$work/parts" | median)" \
		"$(cut -d ' ' -f 4 "$work/parts" | median)" >>"$work/costs"
}

: >"$work/costs"
question="--problem 280x280x255 --deadline 1h --max-nodes 256"
for n in $sizes; do
	sh "$here/make_runs.sh" "$n" >"$work/size.csv"
	rm -f "$work/from.kb"*
	"$lemnos" init --kb "$work/from.kb" >/dev/null
	cost ingest "$n" "$lemnos" ingest --app sweep3d "$work/size.csv"
	mv "$work/size.kb" "$work/from.kb"
	cost mine "$n" "$lemnos" mine
	mv "$work/size.kb" "$work/from.kb"
	# shellcheck disable=SC2086 # several words
	{
		# asked once before: what a first question leaves in the base is there
		"$lemnos" recommend --quiet --kb "$work/from.kb" $question >/dev/null
		cost recommend "$n" "$lemnos" recommend $question
	}
	cost predict "$n" "$lemnos" predict --from "$work/size.csv"
done
rm -f "$work/from.kb"* "$work/size.kb"* "$work/size.csv"
while read -r name n _ cpu_s peak_mb; do
	keep "processor time: $name at $n runs" "$cpu_s" s 0
	keep "memory: $name at $n runs" "$peak_mb" MB 0
done <"$work/costs"

# ---- telling

column() { # COMMAND COLUMN: lines `rows value`
	awk -v name="$1" -v column="$2" '$1 == name { print $2, $column }' "$work/costs"
}

table() { # COLUMN FORM
	printf '| runs |'
	for name in $commands; do printf ' `%s` |' "$name"; done
	printf '\n| ---: |'
	for name in $commands; do printf ' ---: |'; done
	echo
	for n in $sizes; do
		printf '| %d |' "$n"
		for name in $commands; do
			column "$name" "$1" | awk -v n="$n" -v form=" $2 |" '$1 == n { printf form, $2 }'
		done
		echo
	done
	printf '| exponent (sizes) |'
	for name in $commands; do
		column "$name" "$1" | awk -f "$here/fit_exponent.awk" | sed 's/\(.*\) \(.*\)/ \1 (\2) |/' | tr -d '\n'
	done
	echo
}

picture() { # NAME TITLE COLUMN
	for name in $commands; do
		column "$name" "$3" >"$work/picture-$name"
	done
	mkdir -p "$work/pictures"
	gnuplot <<-GNUPLOT
		set terminal svg noenhanced size 640,420 font "sans-serif,13"
		set output "$work/pictures/cost_against_size-$1.svg"
		set logscale xy
		set format x "10^%T"
		set xlabel "runs in the base"
		set ylabel "$2"
		set key left top
		set grid
		plot for [name in "$commands"] "$work/picture-".name using 1:2 with linespoints pointtype 7 \
			pointsize 0.6 linewidth 2 title name
	GNUPLOT
}

cat <<MD
# Cost against size

Written by \`make bench\`; never edited by hand. A base of so many generated runs of Sweep3D, 14 columns
each (\`tests/bench/make_runs.sh\`): \`ingest\` loads their CSV into an empty base, \`mine\` mines
it, \`recommend $question\` is asked of it
(a second time), and \`predict --from\` predicts as many rows as it has runs. Whole commands, processor
time of all threads; medians of three, or of one where that took over a second.

Machine: $(machine | tr ';' ','), load average $(load) at the end. $("$lemnos" --version | head -1).

Processor time [s]:

$(table 4 %.3f)

Wall time [s]:

$(table 3 %.3f)

Most memory [MB]:

$(table 5 %.0f)

The exponent k is that of cost = c runs^k, fitted by least squares on logarithms to the sizes, in brackets how
many, that cost at least three times what the smallest does: below, starting and what is capped (the fit
looks at so many runs at most) would hide the growth. A dash: fewer than two such sizes.
MD
[ -n "${BENCH_HUGE:-}" ] || printf '\nTen million runs are not measured unless BENCH_HUGE is set.\n'
if command -v gnuplot >/dev/null; then
	picture time "processor time [s]" 4
	picture memory "most memory [MB]" 5
	printf '\n![Processor time against size](cost_against_size-time.svg)\n'
	printf '\n![Memory against size](cost_against_size-memory.svg)\n'
fi
