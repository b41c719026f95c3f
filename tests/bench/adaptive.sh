#!/bin/sh
# Print the section of docs/evaluation.md on the choice of the next runs: shipped runs replayed as an oracle, and
# by how many runs the recommendation is how good, if they are chosen adaptively, as a Latin hypercube, or at random.
# ADAPTIVE_LINES: a file of what bench_adaptive printed, with the set before it, made before.
# Twice as many seeds of sp2like and iblike, whose replays are short and differ most.
# usage: [ADAPTIVE_SEEDS=10] [ADAPTIVE_SETS="sp2like kripke"] [EVALUATION=FOLDER] adaptive.sh BUILD_FOLDER WORK_FOLDER
set -eu
build=$1
work=$2/adaptive
here=$(cd "$(dirname "$0")" && pwd)
evaluation=${EVALUATION:-../shared/data/evaluation}
seeds=${ADAPTIVE_SEEDS:-10}
sets=${ADAPTIVE_SETS:-sp2like iblike kripke snap}
export LEMNOS_DATADIR="$PWD/data" LC_ALL=C
mkdir -p "$work"
lines=$work/lines

# replay SET BASE APPLICATION MACHINE ADAPTIVE-STOPS SEEDS OTHER-STOPS: lines "SET METHOD SEED RUNS LOSS EXPECTED LOSS-BUT-WORST"
replay() {
	for method in adaptive latin random; do
		[ $method = adaptive ] && stops=$5 || stops="$5 $7"
		for seed in $(seq "$6"); do
			# shellcheck disable=SC2086
			"$build/tests/bench/bench_adaptive" "$2" "$3" "$4" $method "$seed" $stops | sed "s/^/$1 /"
		done
	done
}

# fastest SET BASE APPLICATION MACHINE SEEDS STOPS
fastest() {
	for seed in $(seq "$5"); do
		# shellcheck disable=SC2086
		"$build/tests/bench/bench_adaptive" "$2" "$3" "$4" fastest "$seed" $6 | sed "s/^/$1 /"
	done
}

# bounds SET BASE APPLICATION MACHINE: what the fewest runs could do. lucky: many sets at random.
bounds() {
	for seed in $(seq 300); do
		"$build/tests/bench/bench_adaptive" "$2" "$3" "$4" random "$seed" 8 10 | sed "s/^random/$1 lucky/"
	done
	for seed in 1 2 3 4 5; do
		"$build/tests/bench/bench_adaptive" "$2" "$3" "$4" hindsight "$seed" 8 10 | sed "s/^/$1 /"
	done
}

ad_hoc() { # NAME FILE FLAG...
	name=$1 file=$2
	shift 2
	rm -f "$work/$name.kb"*
	"$build/lemnos" ingest "$file" --kb "$work/$name.kb" --app "$name" --machine stampede2 --quiet "$@" >"$work/log"
}

measure() {
	for set in $sets; do
		case $set in
		sp2like | iblike)
			rm -f "$work/shipped.kb"*
			"$build/lemnos" init --quiet --with-data --kb "$work/shipped.kb" >"$work/log"
			replay "$set" "$work/shipped.kb" sweep3d "$set" "8 10 12 15 20 25 30 40 60 80 120" $((2 * seeds)) "160 240"
			fastest "$set" "$work/shipped.kb" sweep3d "$set" $((2 * seeds)) "8 10 12 15 20 25 30"
			bounds "$set" "$work/shipped.kb" sweep3d "$set"
			;;
		kripke)
			[ -r "$evaluation/kripke_stampede2.csv" ] || continue
			ad_hoc kripke "$evaluation/kripke_stampede2.csv" --target sweep_s \
				--problem groups,directions,zones_x,zones_y,zones_z,legendre \
				--tunable nesting,dirsets,groupsets,zset_x,zset_y,zset_z --categorical nesting \
				--resource nodes=nodes,ppn=ppn,threads=threads
			replay kripke "$work/kripke.kb" kripke stampede2 "20 30 40 60 80 120 160 240 320" "$seeds" "480 640 960"
			fastest kripke "$work/kripke.kb" kripke stampede2 "$seeds" "40 60 80 120 160 240"
			;;
		snap)
			[ -r "$evaluation/snap_stampede2.csv" ] || continue
			ad_hoc snap "$evaluation/snap_stampede2.csv" --target solve_s --problem nx,ny,nz,nmom,nang,ng \
				--tunable ichunk --resource nodes=nodes,ppn=ppn,threads=threads
			replay snap "$work/snap.kb" snap stampede2 "20 30 40 60 80 120 160 240 320" "$seeds" "480 640 960 1280"
			;;
		esac
	done
}

if [ -r "${ADAPTIVE_LINES-}" ]; then
	cp "$ADAPTIVE_LINES" "$lines"
else
	measure >"$lines"
fi
cat <<'MD'
## Which runs to make next

How many runs does a campaign need before its recommendations are good? By `tests/bench/adaptive.sh`: runs that were
made before stand for the machine (an oracle), so that every configuration can be "run", once, and the best of each
problem is known. The questions are all problems (with their workload) that were run in two configurations or more:
which of these is fastest? *Loss* is the time of what `recommend` would answer over that of the best, minus 1: the mean
over problems, then over seeds. A problem without an answer, as long as no predictor can be fitted (to fewer than 8
runs none is), counts as a choice at random. *Adaptive* are batches of a tenth of the runs so far, at least four, as
`adaptive_choose()` names them (`acquire/adaptive.h`), its own start before them; *Latin hypercube* is one of that
many runs, near to balance and far apart among the configurations that can be run; *random* as many of these at random.
*Expected* is the loss that the adaptive campaign itself tells without knowing the truth: what its status shows. It is
a mean of logarithms, and knows nothing of what no run has shown.

The aim is a third of the runs of a Latin hypercube at a loss of 2 %; the last column says where it is met: where a
predictor learns from run to run (kripke, snap), not where a formula predicts (sp2like, iblike). There a third is 7 runs,
fewer than the 8 to which the formula is fitted at least. With 8 it is no matter of the design either: sets of 8 runs
that lose 1 % are there, as a search finds that knows all times (by hindsight, 400 exchanges), but of 300 sets at random
hardly one loses less than 2 %, and no design that was tried finds them. Tried on 30 to 60 other seeds: a start from the
corners of the space (33 % instead of 8 % at 10 runs), a start of 12 instead of 10, batches of one run, and gains that
count what a run tells of the formula's parameters; none of the last three makes a difference beyond luck. The adaptive
campaign's first 10 runs are all its start, here a Latin hypercube of 8 and two more. The seeds from 1 to 10 are unlucky
ones: on seeds 11 to 40 such a start loses 8 %, as a Latin hypercube of 10 does (7 %).

Most of what few runs lose is no error of predictions. `recommend` prefers configurations that runs support
(`recommend/search/rank.c` says why), and of few runs these are few: the last column of "What few runs could do" is what
the same Latin hypercube loses if the fastest prediction is the answer. For kripke this grew when intervals learnt to
count what runs do not tell of curvature and of levels that were not run together, as a doubt of more than a quarter is
`outside`: with 60 runs the adaptive campaign lost 12 % before (nine seeds) and now 17 % (ten), a Latin hypercube 15 %
before (three) and now 27 %.

In snap one problem of 251 was run in three configurations of which one took a fifteenth of the time that its
neighbours suggest: as long as that run is not made, it adds 6 % to the mean over all problems, in each way to choose
runs. A mean over problems is as heavy-tailed as that, so that it is told without the problem that loses most (of each
seed and number of runs), too; and the worst seed is beside it.
MD
awk -f "$here/adaptive_table.awk" "$lines"
