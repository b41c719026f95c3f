#!/bin/sh
# Print docs/evaluation.md: every predictor on every protocol, decisions and rules, for the runs that
# ship and for those that may only be read where they lie. Deterministic: the same runs give the
# same file. Two pictures go to WORK_FOLDER/pictures, if gnuplot is installed.
# usage: [BENCH_SETS="iblike snap"] accuracy.sh BUILD_FOLDER WORK_FOLDER
# BENCH_SETS: only these (default: all).
set -eu
build=$1
work=$2
evaluation=../shared/data/evaluation
here=$(cd "$(dirname "$0")" && pwd)
sets=${BENCH_SETS:-sp2like iblike local-2core snap kripke}

# ---- measuring

evaluate() { # OPTION...: the CSV; what else is said is shown only if that fails
	"$build/lemnos" evaluate --format csv "$@" 2>"$work/log" || {
		cat "$work/log" >&2
		return 1
	}
}

wanted() { # NAME
	case " $sets " in *" $1 "*) ;; *) return 1 ;; esac
}

measure() { # NAME CUT OPTION...: leaves $work/NAME-WHAT.csv
	name=$1 cut=$2
	shift 2
	echo "evaluating $name" >&2
	evaluate "$@" --plot "$work/$name" >"$work/$name-scores.csv"
	evaluate "$@" --decisions >"$work/$name-decisions.csv"
	evaluate "$@" --rules >"$work/$name-rules.csv"
	if [ -n "$cut" ]; then
		evaluate "$@" --train "$cut" | sed 1d >>"$work/$name-scores.csv"
	fi
}

machine() { # NAME CUT
	wanted "$1" || return 0
	measure "$1" "$2" --app sweep3d --machine "$1"
}

# A third of the runs that are learned from is slowed by up to 25.
disturbed() { # NAME
	wanted "$1" || return 0
	evaluate --app sweep3d --machine "$1" --protocols configurations --disturb 0.3333 \
		>"$work/$1-disturbed.csv"
}

# An application made from flags, in a base of its own.
ad_hoc() { # NAME FILE CUT INGEST-OPTION...
	name=$1 file=$2 cut=$3
	shift 3
	wanted "$name" && [ -r "$evaluation/$file" ] || return 0
	"$build/lemnos" init --kb "$work/$name.kb" >/dev/null
	"$build/lemnos" ingest --kb "$work/$name.kb" --app "$name" --machine stampede2 "$@" \
		"$evaluation/$file" >/dev/null 2>&1
	measure "$name" "$cut" --kb "$work/$name.kb" --app "$name"
}

# The same runs by the definition that ships, with terms, beside the application from flags: what
# gaussian-process makes of both, in one table.
with_terms() { # NAME FILE CUT, after ad_hoc
	name=$1 file=$2 cut=$3
	wanted "$name" && [ -r "$evaluation/$file" ] || return 0
	"$build/lemnos" init --kb "$work/$name-terms.kb" >/dev/null
	"$build/lemnos" apps add --kb "$work/$name-terms.kb" "$name" >/dev/null
	"$build/lemnos" ingest --kb "$work/$name-terms.kb" --app "$name" --machine stampede2 \
		"$evaluation/$file" >/dev/null 2>&1
	echo "evaluating $name with terms" >&2
	for base in "$name" "$name-terms"; do
		{
			evaluate --kb "$work/$base.kb" --app "$name" --predictors gaussian-process \
				--protocols configurations-70/30,configurations,problems,processors,sizes,levels
			evaluate --kb "$work/$base.kb" --app "$name" --predictors gaussian-process \
				--train "$cut" | sed 1d
		} >"$work/$base-kind.csv"
	done
	{
		sed 's/gaussian-process/power laws/' "$work/$name-kind.csv"
		sed '1d; s/gaussian-process/terms/' "$work/$name-terms-kind.csv"
	} >"$work/$name-with_terms-scores.csv"
}

pictures() { # NAME CUT: of the default predictor, of which there must be scores
	[ -r "$work/$1-scores.csv" ] || return 0
	mkdir -p "$work/pictures"
	evaluate --app sweep3d --machine "$1" --predictors "$(default_of "$1")" --train "$2" \
		--protocols configurations-70/30 --plot "$work/pictures/evaluation" >/dev/null
}

# ---- telling

default_of() { # NAME: the first predictor
	awk -F, 'NR == 2 { print $4 }' "$work/$1-scores.csv"
}

# table: the CSV of `lemnos evaluate` on stdin as a Markdown table
table() {
	awk -F, '
	function percent(name) { return sprintf("%.0f %%", 100 * $at[name]) }
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
		print "| held out | predictor | tested | median error | 90th percentile | bias | in 50 % | in 80 % | in 90 % | in 95 % | width | score |"
		print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"; next }
	{ printf "| %s | %s | %d | %.1f %% | %.1f %% | %+.1f %% | %s | %s | %.1f ± %.1f %% | %s | x%.2f | %.2f |\n",
		$at["held_out"], $at["predictor"], $at["n_test"], 100 * $at["median_error"],
		100 * $at["p90_error"], 100 * $at["bias"], percent("coverage_50"),
		percent("coverage_80"), 100 * $at["coverage_90"], 100 * $at["coverage_90_error"],
		percent("coverage_95"), $at["width"], $at["interval_score"] }'
}

# reliability: what the default predictor promised of deadlines, by what was held out
reliability() { # NAME
	awk -F, -v predictor="$(default_of "$1")" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["predictor"] != predictor { next }
	{ way = $at["held_out"]; bin = int(10 * $at["promised"] + 1e-9); if (bin > 9) bin = 9
		if (!(way in seen)) { seen[way] = 1; name[++n] = way }
		cell[bin, way] = sprintf("%.0f ± %.0f %%", 100 * $at["happened"], 100 * $at["happened_error"]) }
	END {
		line = "| promised |"; rule = "| --- |"
		for (k = 1; k <= n; k++) { line = line " " name[k] " |"; rule = rule " ---: |" }
		print line; print rule
		for (bin = 0; bin < 10; bin++) {
			printf "| %d-%d %% |", 10 * bin, 10 * bin + 10
			for (k = 1; k <= n; k++) printf " %s |", cell[bin, name[k]]
			print ""
		}
	}' "$work/$1-reliability.csv"
}

# decisions: the CSV of `lemnos evaluate --decisions` on stdin
decisions() {
	awk -F, '
	function percent(name) { return $at[name] == "" ? "" : sprintf("%.1f", 100 * $at[name]) }
	function ratio(name) { return $at[name] == "" ? "" : sprintf("%.3f", $at[name]) }
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
		print "| question | seen of the problem | choice | asked | possible | answered | hit | cost: mean | median | 90th percentile |"
		print "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"; next }
	{ hit = percent("hit_rate")
		printf "| %s | %s | %s | %d | %d | %d | %s | %s | %s | %s |\n",
		$at["question"], $at["seen"], $at["method"], $at["n_cases"], $at["n_possible"],
		$at["n_answered"], hit == "" ? "" : hit " ± " percent("hit_rate_error") " %",
		ratio("over_mean"), ratio("over_median"), ratio("over_p90") }'
}

# rules: the CSV of `lemnos evaluate --rules` on stdin; cells that do not apply stay empty
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


# bounds NAME: of the sets of real runs; nothing of simulated ones, which do not scatter
bounds() {
	case $1 in
	local-2core) bounds_of data/runs/measured_local.csv it_g,jt_g,kt,iterations runtime_s repeat ;;
	snap) bounds_of "$evaluation/snap_stampede2.csv" nx,ny,nz,nmom,nang,ng solve_s "" ;;
	kripke) bounds_of "$evaluation/kripke_stampede2.csv" \
		groups,directions,zones_x,zones_y,zones_z,legendre sweep_s solve_s ;;
	esac
}

bounds_of() { # FILE PROBLEM TARGET IGNORED
	printf '\nWhat these choices would cost somebody who knows times so well:\n\n'
	awk -v problem="$2" -v target="$3" -v ignore="$4" -f "$here/choice_bounds.awk" "$1"
}

section() { # NAME WHAT
	wanted "$1" || return 0
	printf '\n## %s\n\n%s\n\n' "$1" "$2"
	if [ ! -r "$work/$1-scores.csv" ]; then
		echo "Not measured: the file is not there."
		return
	fi
	table <"$work/$1-scores.csv"
	if [ -r "$work/$1-disturbed.csv" ]; then
		printf '\nA third of the runs that were learned from slowed, by up to 25:\n\n'
		table <"$work/$1-disturbed.csv"
	fi
	printf '\nDeadlines, by what %s promised:\n\n' "$(default_of "$1")"
	reliability "$1"
	printf '\nDecisions:\n\n'
	decisions <"$work/$1-decisions.csv"
	bounds "$1"
	rules <"$work/$1-rules.csv"
}

# ---- what is aimed at

cell() { # FILE COLUMN=VALUE COLUMN=VALUE WANTED: of the one row; empty if there is none
	[ -r "$work/$1" ] || return 0
	awk -F, -v first="$2" -v second="$3" -v wanted="$4" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
		split(first, a, "=="); split(second, b, "=="); next }
	$at[a[1]] == a[2] && $at[b[1]] == b[2] { print $at[wanted]; exit }' "$work/$1"
}

goal() { # SET WHAT AIM FORM SCALE VALUE
	[ -n "$6" ] || return 0
	printf "| %s | %s | %s | $4 |\n" "$1" "$2" "$3" "$(awk -v x="$6" -v by="$5" 'BEGIN { print by * x }')"
}

score_goal() { # SET FILE HELD-OUT WHAT AIM COLUMN
	[ -r "$work/$1-scores.csv" ] || return 0
	goal "$1" "$4" "$5" '%.1f %%' 100 \
		"$(cell "$1-$2.csv" "held_out==$3" "predictor==$(default_of "$1")" "$6")"
}

decision_goal() { # SET QUESTION SEEN WHAT AIM COLUMN FORM SCALE
	[ -r "$work/$1-scores.csv" ] || return 0
	goal "$1" "$4" "$5" "$7" "$8" "$(awk -F, -v question="$2" -v seen="$3" \
		-v method="$(default_of "$1")" -v wanted="$6" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["question"] == question && $at["seen"] == seen && $at["method"] == method {
			print $at[wanted]; exit }' "$work/$1-decisions.csv")"
}

honest() { # SET HELD-OUT AIM
	score_goal "$1" scores "$2" "in the 90 % interval, $2" "$3" coverage_90
}

goals() {
	echo "| runs | figure | aim | reached |"
	echo "| --- | --- | ---: | ---: |"
	score_goal snap scores configurations-70/30 "median error, configurations 70/30" "at most 2.5 %" median_error
	score_goal snap scores "$cut_snap" "median error, 16 nodes from at most 8" "at most 4 %" median_error
	score_goal kripke scores configurations-70/30 "median error, configurations 70/30" "at most 4 %" median_error
	score_goal kripke scores "$cut_kripke" "median error, 32 nodes from at most 16" "at most 4.5 %" median_error
	for set in sp2like iblike; do
		score_goal $set scores "$cut_sweep3d" "median error, 32-256 processors from at most 16" "at most 5 %" median_error
		score_goal $set scores "$cut_sweep3d" "90th percentile of that" "at most 12 %" p90_error
		score_goal $set scores sizes "median error, larger problems" "at most 4 %" median_error
		score_goal $set scores rows "median error, random rows" "at most 2.5 %" median_error
	done
	score_goal local-2core scores configurations "median error, unseen configurations" "at most 4 %" median_error
	score_goal local-2core disturbed configurations "the same, a third of the runs disturbed" "at most 4 %" median_error
	for set in sp2like iblike local-2core snap kripke; do
		honest $set rows "87-93 %"
		honest $set configurations "87-93 %"
		honest $set problems "at least 85 %"
		honest $set processors "at least 85 %"
		honest $set sizes "at least 85 %"
	done
	honest sp2like "$cut_sweep3d" "at least 85 %"
	honest iblike "$cut_sweep3d" "at least 85 %"
	honest snap "$cut_snap" "at least 85 %"
	honest kripke "$cut_kripke" "at least 85 %"
	for set in sp2like iblike local-2core snap kripke; do
		decision_goal $set fastest "a tenth" "time over the best, mean" "at most 1.03" over_mean '%.3f' 1
		decision_goal $set deadlines half "deadlines met, half of the problem seen" "at least 90 %" hit_rate '%.1f %%' 100
		decision_goal $set deadlines half "their cost over the best, mean" "at most 1.10" over_mean '%.3f' 1
		decision_goal $set deadlines nothing "deadlines met, nothing of the problem seen" "at least 90 %" hit_rate '%.1f %%' 100
		decision_goal $set deadlines nothing "their cost over the best, mean" "at most 1.10" over_mean '%.3f' 1
	done
}

# ---- all of it

cut_sweep3d="all but procs <= 16"
cut_snap="all but nodes <= 8"
cut_kripke="all but nodes <= 16"
machine sp2like "procs <= 16"
machine iblike "procs <= 16"
machine local-2core ""
disturbed local-2core
ad_hoc snap snap_stampede2.csv "nodes <= 8" \
	--target solve_s --problem nx,ny,nz,nmom,nang,ng --tunable ichunk \
	--resource nodes=nodes,ppn=ppn,threads=threads
ad_hoc kripke kripke_stampede2.csv "nodes <= 16" \
	--target sweep_s --problem groups,directions,zones_x,zones_y,zones_z,legendre \
	--tunable nesting,dirsets,groupsets,zset_x,zset_y,zset_z --categorical nesting \
	--resource nodes=nodes,ppn=ppn,threads=threads
with_terms snap snap_stampede2.csv "nodes <= 8"
with_terms kripke kripke_stampede2.csv "nodes <= 16"
pictures iblike "procs <= 16"

cat <<'MD'
# How good the predictions are, and the decisions

Written by `make bench`; never edited by hand. Everything here can be asked of any base with
`lemnos evaluate`; its man page defines each column.

MD
goals
cat <<'MD'

The predictor of these figures is the first one of each table below: what Lemnos uses.

MD
if [ -r "$work/pictures/evaluation-predicted.svg" ]; then
	cat <<'MD'
![What happened, against what was promised](evaluation-reliability.svg)

![Predicted against measured times](evaluation-predicted.svg)

(The invented machine `iblike`: held out what ran on more than 16 processors, and 30 % of the
configurations.)

MD
fi
cat <<'MD'
Runs are held out, each predictor is fitted to the rest, and what was held out is predicted.

- *rows*: 30 % of the single runs, once, at random. Where nothing was repeated this is the next one.
- *configurations-70/30*: 30 % of the configurations, once, at random, with all their runs.
- *configurations*: a fifth of the configurations at a time, at random.
- *problems*: a fifth of the problem sizes at a time, with all their runs.
- *processors*: fitted to the half (then three quarters) of the configurations with the fewest
  processors, tested on the others, all of which have more (equal counts stay together).
- *sizes*: the same by problem size.
- *levels*: all runs with one of two values, each an inner one of a problem column that has 5 to 48; 8 pairs of values in turn.
- *all but* a condition: fitted to the runs for which it holds, tested on all others.

The error is |predicted / measured - 1| against the median of a configuration's repeats (of *rows*:
single runs); bias is the median of predicted / measured - 1. *In 90 %* counts the single runs inside the central
90 % interval, with its binomial standard error: 90 % would be honest. Width is its upper over its lower
end. The score is the interval score of Gneiting and Raftery (JASA 102, 2007, eq. 43) of that interval,
on the logarithm of time: its width, and 20 times the distance of runs that fall outside; smaller is better.

Baselines: `power-law` is the log-log regression t = c x1^a1 x2^a2 ... fitted to the same runs,
`log-quadratic` the one with squares and products, `nearest-neighbours` the mean of the three
nearest configurations.

Deadlines are those that a predictor itself calls 5, 15, ... 95 % likely to be met: the table says how many
runs met them.

Decisions are made among the configurations in which a problem was measured, for problems measured in
at least ten. *Fastest*: a tenth of the configurations of each problem (at least three) is drawn at random and
seen; whichever is predicted to be fastest is chosen from all of them; cost is its time over that of
the best. *Best seen* is the fastest of those drawn, *random choice* what is to be expected of it. Five
draws. *Deadlines* are the 25, 50 and 75 % quantiles of the problem's times, *deadlines* alone the three
together; chosen is the configuration of fewest node-hours that is predicted to be in time with a
probability of at least 0.9, always among configurations of which no run was seen: the other half of the problem's, or
all of a problem of whose size nothing was seen. *Hit*: the share of single runs of what was chosen that were
in time. Cost is node-hours over those of the cheapest that was, where the choice was in time, too.

Choices among real runs cannot be perfect, as the next run is not known from the last ones. So a table asks
the same questions of somebody who knows each time, repeat noise included, within a factor exp(s z), z
standard normal, and knows s (`tests/bench/choice_bounds.awk`). Where s is the noise of repeats, no
predictor can do much better.

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
section sp2like "Simulated runs (SimGrid) on an invented machine; its network is close to a latency,
overhead and bandwidth model, which favours models of that form."
section iblike "Simulated runs (SimGrid) on another invented machine; the same remark holds."
section local-2core "Measured runs of the unmodified program, one and two processes on a virtual machine. No more
than two processes were measured, so *processors* here is fitted to one process and tested on two,
and nothing tells how predictions for many processors do on real hardware."
section snap "SNAP on Stampede2 (E. Hutter and E. Solomonik, arXiv:2210.10184), read where it lies, not shipped;
an application made from flags, so without a structural model."
section kripke "Kripke's sweep solver on Stampede2, same source, same remarks."
if wanted snap || wanted kripke; then
	cat <<'MD'

## Terms

The same runs of SNAP and Kripke, as an application from flags (power laws and a process) and by the definitions
that ship with Lemnos (`lemnos apps add snap`): the process stands on their terms where these predict held-out runs
better (see [models.md](models.md)). Where the figures agree to the last digit, they did not.
MD
	for set in snap kripke; do
		[ -r "$work/$set-with_terms-scores.csv" ] || continue
		printf '\n### %s\n\n' "$set"
		table <"$work/$set-with_terms-scores.csv"
	done
	[ -n "${BENCH_SETS-}" ] || sh "$here/suggest.sh" "$build" "$work"
fi
[ -n "${BENCH_SETS-}" ] || {
	echo
	sh "$here/structure.sh" "$build" "$work"
}
