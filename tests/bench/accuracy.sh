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

# rules: the same for the CSV of `lemnos evaluate --rules`; cells that do not apply stay empty
rules() {
	awk -F, '
	function percent(x, form) { return x == "" ? "" : sprintf(form, 100 * x) }
	function line(cell, n, i) { printf "|"; for (i = 1; i <= n; i++) printf " %s |", cell[i]; print "" }
	function head(title, columns, align) { printf "\n%s\n\n%s\n%s\n", title, columns, align }
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ measure = $at["measure"]; size = $at["size"]; sub(/\.0+$/, "", size) }
	measure == "error of time" {
		if (!times++)
			head("Times by rules, and by what needs none:",
				"| held out | method | tested | rules or leaves | covered | median error | 90th percentile | bias |",
				"| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
		c[1] = $at["held_out"]; c[2] = $at["method"]; c[3] = $at["n_test"]; c[4] = size
		c[5] = percent($at["covered"], "%.0f %%"); c[6] = percent($at["median"], "%.1f %%")
		c[7] = percent($at["p90"], "%.1f %%"); c[8] = percent($at["bias"], "%+.1f %%")
		line(c, 8)
	}
	measure ~ /^regret/ {
		if (!regrets++)
			head("Choices on problems held out, time over the best known:",
				"| of | choice | tested | rules | covered | median regret | 90th percentile | as stated |",
				"| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
		c[1] = measure; sub(/regret /, "", c[1]); c[2] = $at["method"]; c[3] = $at["n_test"]; c[4] = size
		c[5] = percent($at["covered"], "%.0f %%"); c[6] = percent($at["median"], "%.1f %%")
		c[7] = percent($at["p90"], "%.1f %%"); c[8] = percent($at["share_true"], "%.0f %%")
		line(c, 8)
	}
	measure == "error of slow-down" {
		printf "\nChoice rules, %s of them on average, could be checked in %s of the cases held out: in %s of\n",
			size, percent($at["covered"], "%.0f %%"), percent($at["share_true"], "%.0f %%")
		printf "%d pairs of a rule and a case the choices were slower than the others, by a factor that was off by\n",
			$at["n_test"]
		printf "%s in the median.\n", percent($at["median"], "%.0f %%")
	}'
}

# both: all that is measured about one application on one machine
both() {
	"$build/lemnos" evaluate "$@" --format csv | table
	"$build/lemnos" evaluate "$@" --rules --format csv | rules
}

machine() { # NAME WHAT
	printf '\n## %s\n\n%s\n\n' "$1" "$2"
	both --app sweep3d --machine "$1"
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
	both --kb "$kb" --app "$name"
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

Then rules are mined from each training part and followed on the rest (`lemnos evaluate --rules`; its
man page says what is what). *time rules* stand alone: mined without any model, the geometric mean
where several hold, that of all training times where none does. *single tree* is one regression
tree, a constant in each leaf, its size chosen by cross-validation; `power-law` is the linear model, in
the logarithm. The last line of each way is the predictor with the time rules that were mined on it.
Choices are tested on problems held out: the most useful *setting rule* that holds, the one *fixed
setting* that was best in the training part, and a *random choice*, the median of the case (one
problem on one number of processors). Where a method names nothing that was run it is a random choice,
too. *As stated*: within so much of the best as the rule says.
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
