#!/bin/sh
# The choice itself: the objective time against looking up the best measured run, and promises of what was
# chosen. Prints Markdown for docs/choice.md.
# usage: [DRAWS=50] [EVALUATION=FOLDER] choice.sh BUILD_FOLDER WORK_FOLDER
set -eu
build=$1
work=$2
evaluation=${EVALUATION:-../shared/data/evaluation}
draws=${DRAWS:-50}

# A factorial of five tunables, three of numbers and two of words, with interactions and 5 % of noise.
planted() {
	awk 'BEGIN {
		srand(11)
		print "nodes,alg,blk,pre,thr,time"
		split("ring tree dbl hyb", alg)
		split("none jac", pre)
		for (nodes = 1; nodes <= 32; nodes *= 2) for (a = 1; a <= 4; a++)
			for (blk = 16; blk <= 1024; blk *= 2) for (p = 1; p <= 2; p++)
				for (thr = 1; thr <= 4; thr *= 2) {
					x = log(blk / 96) / log(2)
					t = 100 / nodes ^ 0.8 * (1 + 0.12 * x * x * (a == 4 ? 0.3 : 1))
					l = log(nodes + 1) / log(2)
					t += a == 1 ? 0.8 * nodes : a == 2 ? 3 * l : a == 3 ? 2 * l + 0.1 * nodes : 1.5 * l + 4
					t *= p == 1 ? 1 : blk < 200 ? 0.85 : 1.2
					x = log(thr / 2) / log(2)
					t *= (1 + 0.1 * (x < 0 ? -x : x)) * (thr == 4 && a == 1 ? 0.9 : 1)
					u = rand(); v = rand()
					t *= exp(0.05 * sqrt(-2 * log(1 - u)) * cos(6.283185307 * v))
					printf "%d,%s,%d,%s,%d,%.5g\n", nodes, alg[a], blk, pre[p], thr, t
				}
	}'
}

# Tiles whose buffers leave a cache of 600 kB: times jump where the runs are few. No noise.
cliff() {
	awk 'BEGIN {
		print "nodes,alg,nb,buf,time"
		for (nb = 16; nb <= 256; nb += 16) for (nodes = 1; nodes <= 16; nodes *= 2)
			for (a = 1; a <= 3; a++) for (buf = 1; buf <= 6; buf += buf < 4 ? 1 : 2) {
				t = 60 / nodes ^ 0.9 * (1 + 20 / nb)
				t *= nb * nb * 8 * buf > 600000 ? 1.6 : 1
				t *= a == 1 ? 1 : a == 2 ? (nb > 100 ? 0.9 : 1.15) : nodes > 4 ? 0.8 : 1.3
				t += 0.4 * nodes * (a == 3 ? 1.5 : 1) + 0.5 * buf
				printf "%d,%c,%d,%d,%.6g\n", nodes, 119 + a, nb, buf, t
			}
	}'
}

load() { # NAME FILE FLAG...
	name=$1
	file=$2
	shift 2
	rm -f "$work/$name.kb"
	"$build/lemnos" ingest "$file" --kb "$work/$name.kb" --app "$name" --machine there --quiet "$@" >/dev/null
}

regret() { # NAME PROBLEMS TITLE
	printf '\n%s\n\n' "$3"
	echo '| seen | draws | regret | of look-up | worse than look-up | chosen without runs | kept at 50 % | 80 % | 90 % | 95 % |'
	echo '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'
	"$build/tests/bench/bench_choice" "$work/$1.kb" "$1" "$draws" "$2"
}

promises() { # NAME DRAWS
	printf '\n%s\n\n' "$1"
	echo '| confidence | choices | promise kept | by deadline | said | in time | on fewest nodes | said | in time |'
	echo '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'
	"$build/tests/bench/bench_choice" "$work/$1.kb" "$1" "$2" 0
}

sets="planted cliff"
cliff >"$work/cliff.csv"
load cliff "$work/cliff.csv" --target time --tunable alg,nb,buf --categorical alg --resource nodes=nodes
planted >"$work/planted.csv"
load planted "$work/planted.csv" --target time --tunable alg,blk,pre,thr --categorical alg,pre --resource nodes=nodes
if [ -r "$evaluation/snap_stampede2.csv" ]; then
	sets="$sets snap kripke"
	load snap "$evaluation/snap_stampede2.csv" --target solve_s --problem nx,ny,nz,nmom,nang,ng --tunable ichunk \
		--resource nodes=nodes,ppn=ppn,threads=threads
	load kripke "$evaluation/kripke_stampede2.csv" --target sweep_s \
		--problem groups,directions,zones_x,zones_y,zones_z,legendre \
		--tunable nesting,dirsets,groupsets,zset_x,zset_y,zset_z --categorical nesting \
		--resource nodes=nodes,ppn=ppn,threads=threads
fi
cat <<'MD'
# The choice itself

Written by `make bench` (`tests/bench/choice.sh`). No number here is typed by hand.

## The least time, against looking up the best measured run

Of a factorial that was measured completely a share is seen, drawn at random (at least three configurations).
Regret is the time of what is chosen from all of it over the least there is, the mean over draws;
look-up takes the best of those seen. *Kept* is how often a configuration without runs that was chosen took no longer
than promised for it. Of SNAP and Kripke the three problems with most configurations, each by itself; a
share that leaves too few to fit a predictor has no row.
MD
for set in $sets; do
	case $set in planted | cliff) problems=1 ;; *) problems=3 ;; esac
	regret "$set" $problems "$set"
done
cat <<'MD'

## Promises of what was chosen

Half of the configurations are seen. Of the others the one is chosen that costs the fewest node-hours by its promise
(the quantile of time at the confidence): *promise kept* is the share of its runs within that. By deadlines at the
quartiles of the problem's times the cheapest, and the one on the fewest nodes: *said* is the mean probability of
being in time that was told, *in time* the share of runs that were.
MD
for set in $sets; do
	case $set in snap) n=1 ;; *) n=4 ;; esac
	promises "$set" $n
done
