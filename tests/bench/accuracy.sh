#!/bin/sh
# Print docs/evaluation.md: every predictor on every protocol, for the runs that ship and for those
# that may only be read where they lie. Deterministic: the same runs give the same file.
# usage: accuracy.sh BUILD_FOLDER WORK_FOLDER
set -eu
build=$1
work=$2
evaluation=../shared/data/evaluation

# table: the CSV of `lemnos evaluate` on stdin as a Markdown table
table() {
	awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
		print "| held out | predictor | tested | median error | 90th percentile | bias | in the 90 % interval | interval width |"
		print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"; next }
	{ printf "| %s | %s | %d | %.1f %% | %.1f %% | %+.1f %% | %.0f %% | x%.2f |\n",
		$at["held_out"], $at["predictor"], $at["n_test"], 100 * $at["median_error"],
		100 * $at["p90_error"], 100 * $at["bias"], 100 * $at["coverage"], $at["width"] }'
}

machine() { # NAME WHAT
	printf '\n## %s\n\n%s\n\n' "$1" "$2"
	"$build/lemnos" evaluate --app sweep3d --machine "$1" --format csv | table
}

# An application class made from flags, in a base of its own.
ad_hoc() { # NAME FILE WHAT INGEST-OPTION...
	name=$1 file=$2 what=$3
	shift 3
	printf '\n## %s\n\n%s\n\n' "$name" "$what"
	if [ ! -r "$evaluation/$file" ]; then
		echo "Not measured: the file is not there."
		return
	fi
	kb="$work/$name.kb"
	"$build/lemnos" init --kb "$kb" >/dev/null
	"$build/lemnos" ingest --kb "$kb" --app "$name" --machine stampede2 "$@" \
		"$evaluation/$file" >/dev/null 2>&1
	"$build/lemnos" evaluate --kb "$kb" --app "$name" --format csv | table
}

cat <<'MD'
# How good the predictions are

Written by `make bench`; never edited by hand. Runs are held out, each predictor is fitted to the rest,
and what was held out is predicted.

- *configurations*: a fifth of the configurations at a time, at random.
- *problems*: a fifth of the problem sizes at a time, with all their runs.
- *processors*: fitted to the half (then three quarters) of the configurations with the fewest
  processors, tested on the others, all of which have more (equal counts stay together).
- *sizes*: the same by problem size.

The error is |predicted / measured - 1| against the median of a configuration's repeats; bias is the
median of predicted / measured - 1. The next column counts the single runs inside the central 90 %
interval: 90 % would be honest. Width is its upper over its lower end. `power-law` is the log-log
regression t = c x1^a1 x2^a2 ... fitted to the same runs; `wavefront` is what Lemnos uses for Sweep3D.
MD
machine sp2like "Simulated runs (SimGrid) on an invented machine; its network is close to a latency,
overhead and bandwidth model, which favours models of that form."
machine iblike "Simulated runs (SimGrid) on another invented machine; the same remark holds."
machine local-2core "Measured runs of the unmodified program, one and two processes on a virtual machine. No more
than two processes were measured, so *processors* here is fitted to one process and tested on two,
and nothing tells how predictions for many processors do on real hardware."
ad_hoc snap snap_stampede2.csv "SNAP on Stampede2 (E. Hutter and E. Solomonik, arXiv:2210.10184), read where it lies, not shipped;
a class made from flags, so without a structural model." \
	--target solve_s --problem nx,ny,nz,nmom,nang,ng --tunable ichunk \
	--resource nodes=nodes,ppn=ppn,threads=threads
ad_hoc kripke kripke_stampede2.csv "Kripke's sweep solver on Stampede2, same source, same remarks." \
	--target sweep_s --problem groups,directions,zones_x,zones_y,zones_z,legendre \
	--tunable nesting,dirsets,groupsets,zset_x,zset_y,zset_z --categorical nesting \
	--resource nodes=nodes,ppn=ppn,threads=threads
