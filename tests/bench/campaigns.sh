#!/bin/sh
# What the runs of data/runs/campaigns/ teach: hold some out, predict problems that another campaign ran, ask for
# advice on these and simulate what is advised. Prints the section of docs/evaluation.md. The last needs SimGrid;
# without it that table is left out.
# CAMPAIGN_ASKED: a file of what was advised and simulated before (WORK_FOLDER/campaigns/asked).
# usage: [CAMPAIGN_SETS="wavefront_ib16 ..."] campaigns.sh BUILD_FOLDER WORK_FOLDER
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2/campaigns"
work=$(cd "$2/campaigns" && pwd)
tree=$(cd "$(dirname "$0")/../.." && pwd)
runs=$tree/data/runs/campaigns plans=$tree/data/campaigns
sets=${CAMPAIGN_SETS:-wavefront_ib16 wavefront_eth16 halo_ib16 halo_eth16 wavefront_epyc_2core halo_epyc_2core}
export LC_ALL=C LEMNOS_DATADIR="$tree/data" PATH="$build/kernels:$PATH"

lemnos() { "$build/lemnos" "$@"; }
application() { case $1 in wavefront_*) echo sweep3d ;; *) echo halo ;; esac }
machine() { echo "$1" | sed 's/^[a-z]*_//; s/_/-/'; }
say() { echo "$*" >&2; }

# base FILE APPLICATION MACHINE CSV...: a base of these runs
base() {
	LEMNOS_KB=$work/$1 app=$2 machine=$3
	export LEMNOS_KB
	shift 3
	lemnos init >/dev/null
	lemnos machines add "$plans/$machine.conf" >/dev/null
	[ ! -r "$tree/data/classes/$app.conf" ] || lemnos apps add "$app" >/dev/null
	lemnos ingest "$@" >/dev/null
}

evaluate() { lemnos evaluate --format csv "$@" 2>/dev/null; }

# rows NAME: the scores on stdin as rows of a table: the first predictor, and power laws beside it
rows() {
	awk -F, -v name="$1" '
	function percent(name) { return sprintf("%.1f %%", 100 * $at[name]) }
	function end() { if (line != "") print line " " baseline " |"; line = baseline = "" }
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	NR == 2 { used = $at["predictor"] }
	$at["held_out"] != way { end(); way = $at["held_out"] }
	$at["predictor"] == used {
		line = sprintf("| %s | %s | %d | %s | %s | %+.1f %% | %.1f ± %.1f %% | x%.2f |", name, way, $at["n_test"],
			percent("median_error"), percent("p90_error"), 100 * $at["bias"], 100 * $at["coverage_90"],
			100 * $at["coverage_90_error"], $at["width"]) }
	$at["predictor"] == "power-law" { baseline = percent("median_error") }
	END { end() }'
}
score_head() { # WHAT
	echo "| runs | $1 | tested | median error | 90th percentile | bias | in 90 % | width | power law, median |"
	echo "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
}

# ---- how much repeats differ

noise() { # CSV: configurations, runs, and how far repeats are apart
	awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ key = ""
		for (i = 1; i <= NF; i++) if (i != at["runtime_s"] && i != at["repeat"]) key = key "," $i
		t = $at["runtime_s"]; runs++
		if (!(key in n)) { lo[key] = hi[key] = t }
		n[key]++; if (t < lo[key]) lo[key] = t; if (t > hi[key]) hi[key] = t
		if (least == "" || t < least) least = t
		if (t > most) most = t }
	END {
		for (k in n) { configurations++; if (n[k] > 1) print hi[k] / lo[k] - 1 | "sort -g >" spread }
		close("sort -g >" spread)
		while ((getline x < spread) > 0) v[++m] = x
		printf "%d | %d | %s | %s\n", configurations, runs, sprintf("%.3g to %.3g s", least, most),
			m ? sprintf("%.0f %%, %.0f %%, %.0f %%", 100 * v[int((m + 1) / 2)], 100 * v[int(0.9 * m + 0.5)], 100 * v[m]) : "none"
	}' spread="$work/spread" "$1"
}

# ---- asking, and doing what is advised

# of CSV PROBLEM WORKLOAD: its runs of one question: nodes and seconds; WORKLOAD: "width,method" or nothing
of() {
	awk -F, -v problem="$2" -v workload="$3" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$4 "x" $5 "x" $6 == problem && (workload == "" || $at["width"] "," $at["method"] == workload) {
		print $at["nodes"], $at["runtime_s"] }' "$1"
}
quantile() { # SHARE: of the times on stdin
	sort -g -k 2 | awk -v share="$1" '{ v[NR] = $2 } END { print v[int(share * (NR - 1) + 1.5)] }'
}
cheapest() { # DEADLINE: the least node-seconds of those on stdin that were in time
	awk -v deadline="$1" '$2 <= deadline && (!n++ || $1 * $2 < best) { best = $1 * $2 } END { if (n) print best }'
}
workload_of() { # WORKLOAD: as settings
	[ -z "$1" ] || echo ",width=${1%,*},method=${1#*,}"
}

# simulate SET PROBLEM SETTINGS: what that takes, in seconds; nothing if it failed
simulate() {
	{
		printf 'campaign = { name = "asked-%d"; application = "%s"; machine = "%s";\n' "$asked" \
			"$(application "$1")" "$(machine "$1")"
		printf '  constants = "%s,%s";\n  factors = ( { column = "problem"; levels = [ "%s" ]; } );\n' \
			"$(constants "$1")" "$3" "$2"
		sed -n '/^  command/,$p' "$plans/$(echo "$1" | tr _ -).plan"
	} >"$work/asked.plan"
	lemnos acquire run "$work/asked.plan" --kb "$work/$1.asked.kb" --quiet >"$work/said" 2>&1 || cat "$work/said" >&2
	lemnos acquire status "asked-$asked" --kb "$work/$1.asked.kb" --format csv |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["wall_s"] }'
}
constants() { # SET: of its plan
	sed -n 's/^ *constants = "\(.*\)";/\1/p' "$plans/$(echo "$1" | tr _ -).plan"
}

# ask SET PROBLEM WORKLOAD SHARE: of the problem's runs, which no base has; a line of asked.csv. The deadline is the
# quantile of their times.
ask() {
	of "$runs/$1_unseen.csv" "$2" "$3" >"$work/runs"
	deadline=$(quantile "$4" <"$work/runs")
	asked=$((asked + 1))
	# 1: nothing is sure enough to be advised.
	lemnos recommend --app "$(application "$1")" --machine "$(machine "$1")" --problem "$2" \
		--set "$(constants "$1")$(workload_of "$3")" --deadline "${deadline}s" --confidence 0.9 --format csv \
		>"$work/advice.csv" 2>"$work/said" || [ $? -eq 1 ] || cat "$work/said" >&2
	# settings, feasible, predicted, interval, probability, support, nodes
	awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i; name[i] = $i } next }
	NR == 2 {
		s = "nodes=" $at["nodes"]
		for (i = at["procs"] + 1; i < at["predicted_s"]; i++) s = s "," name[i] "=" $i
		print s, $at["feasible"], $at["predicted_s"], $at["lo_s"], $at["hi_s"], $at["p_meet"], $at["support"], $at["nodes"]
	}' "$work/advice.csv" >"$work/advice"
	read -r settings feasible predicted lo hi p_meet support nodes <"$work/advice" || return 0
	took=$(simulate "$1" "$2" "$settings$(workload_of "$3")")
	echo "$1|$2${3:+, width ${3%,*}, ${3#*,}}|$4|$deadline|$settings|$feasible|$predicted|$lo|$hi|$p_meet|$support|$nodes|$took|$(
		cheapest "$deadline" <"$work/runs")" >>"$work/asked"
}

# ---- measuring

: >"$work/asked"
asked=0
for name in $sets; do
	[ -r "$runs/$name.csv" ] || continue
	say "evaluating $name"
	base "$name.kb" "$(application "$name")" "$(machine "$name")" "$runs/$name.csv"
	evaluate --protocols rows,configurations,problems,processors,sizes,levels >"$work/$name-scores.csv"
	# 3: no problem was run in enough configurations.
	evaluate --decisions >"$work/$name-decisions.csv" || [ $? -eq 3 ]
	unseen=$runs/${name}_unseen.csv
	[ -r "$unseen" ] || continue
	sizes=$(sed 1d "$unseen" | cut -d , -f 4 | sort -nu)
	base "$name-both.kb" "$(application "$name")" "$(machine "$name")" "$runs/$name.csv" "$unseen"
	for size in $sizes; do
		problem=$(awk -F, -v s="$size" '$4 == s { print $4 " x " $5 " x " $6; exit }' "$unseen")
		evaluate --train "$(echo "$sizes" | sed 's/^/it_g != /' | paste -sd '&' - | sed 's/&/ and /g')" --test "it_g = $size" |
			awk -v p="$problem" 'NR > 1 { sub(/"[^"]*"/, p) } { print }' >"$work/$name-unseen-$size.csv"
	done
	[ ! -r "${CAMPAIGN_ASKED-}" ] || continue
	command -v smpirun >/dev/null || { say "left out: what is advised for $name, no SimGrid" && continue; }
	say "asking $name"
	base "$name.asked.kb" "$(application "$name")" "$(machine "$name")" "$runs/$name.csv"
	base "$name.kb" "$(application "$name")" "$(machine "$name")" "$runs/$name.csv"
	lemnos mine >/dev/null 2>&1
	for problem in $(sed 1d "$unseen" | cut -d , -f 4-6 | tr , x | sort -u); do
		case $name in halo*) workloads=2,jacobi ;; *) workloads=- ;; esac
		for workload in $workloads; do
			for share in 0.25 0.5 0.75; do ask "$name" "$problem" "${workload#-}" "$share"; done
		done
	done
done

[ ! -r "${CAMPAIGN_ASKED-}" ] || cp "$CAMPAIGN_ASKED" "$work/asked"

# ---- telling

decision_rows() { # NAME: of the scores of decisions on stdin, the first predictor's
	awk -F, -v name="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["question"] == "fastest" && $at["method"] == "best seen" { seen = sprintf(" %.3f |", $at["over_mean"]) }
	NR == 2 { used = $at["method"] }
	$at["method"] != used { next }
	$at["question"] == "fastest" { fastest = sprintf(" %d | %.3f |", $at["n_cases"], $at["over_mean"]) }
	$at["question"] == "deadlines" {
		deadlines = deadlines sprintf(" %d of %d | %.1f %% | %.3f |", $at["n_answered"], $at["n_possible"], 100 * $at["hit_rate"], $at["over_mean"]) }
	END { print "| " name " |" fastest seen deadlines }'
}

asked_rows() {
	awk -F '|' '
	function time_of(s) { return s < 1e-3 ? sprintf("%.0f us", 1e6 * s) : s < 1 ? sprintf("%.3g ms", 1e3 * s) : sprintf("%.3g s", s) }
	{
		gsub(/nodes=|npe_i=|function=/, "", $5); gsub(/,npe_[jk]=/, "x", $5); gsub(/overlap=/, "overlap ", $5); gsub(/mk=/, "mk ", $5)
		gsub(/mmi=/, "mmi ", $5); gsub(/,/, ", ", $5)
		if ($6 != "true") { print "| " $1 " | " $2 " | " time_of($4) " | none | | | | | |"; next }
		printf "| %s | %s | %s | %s | %s (%s to %s) | %s | %.2f | %s | %s |\n", $1, $2, time_of($4), $5, time_of($7), time_of($8),
			time_of($9), $11, $10, $13 == "" ? "failed" : time_of($13) ($13 > $4 ? ", late" : "") ($13 < $8 || $13 > $9 ? ", outside" : ""),
			$14 == "" || $13 == "" ? "" : sprintf("%.2f", $12 * $13 / $14)
	}' "$work/asked"
}
asked_summary() { # per set: answers, promised, in time, inside, error, cost
	awk -F '|' '
	{ if (!($1 in n)) name[++n_set] = $1; n[$1]++ }
	$6 != "true" || $13 == "" { next }
	{ a[$1]++; p[$1] += $10; hit[$1] += $13 <= $4; inside[$1] += $13 >= $8 && $13 <= $9
		e = $7 / $13 - 1; e = e < 0 ? -e : e; error[$1] += e; if (e > worst[$1]) worst[$1] = e
		if ($14 != "" && $13 <= $4) { c[$1] += log($12 * $13 / $14); m[$1]++ } }
	END {
		for (k = 1; k <= n_set; k++) {
			s = name[k]
			if (a[s]) printf "| %s | %d | %d | %.1f | %d | %d | %.1f %% | %.1f %% | %s |\n", s, n[s], a[s], p[s], hit[s], inside[s],
				100 * error[s] / a[s], 100 * worst[s], m[s] ? sprintf("%.2f", exp(c[s] / m[s])) : "" }
	}' "$work/asked"
}

cat <<'MD'
## Campaigns of the programs in kernels

Runs that `lemnos acquire` made of this project's own programs by the plans in `data/campaigns`, and what Lemnos makes of
them; by `tests/bench/campaigns.sh`. [SOURCES.md](../data/SOURCES.md#campaigns) says what is simulated and what is
measured. In short: ib16 and eth16 are invented networks of nodes with 16 processors, on which computation takes the time that a
law says; epyc-2core is real, has two processors, and was shared with other work, so its figures are those of its
disturbances, too.

MD
echo "| runs | configurations | rows | times | repeats differ: median, 90th percentile, most |"
echo "| --- | ---: | ---: | --- | ---: |"
for name in $sets; do
	for csv in "$runs/$name.csv" "$runs/${name}_unseen.csv"; do
		[ ! -r "$csv" ] || echo "| $(basename "$csv" .csv) | $(noise "$csv") |"
	done
done
printf '\nRuns held out, predicted from the rest by what Lemnos uses, and the median error of a power law beside it:\n\n'
score_head "held out"
for name in $sets; do
	[ ! -r "$work/$name-scores.csv" ] || rows "$name" <"$work/$name-scores.csv"
done
printf '\nProblems that another campaign ran, predicted from all runs of the first:\n\n'
score_head "problem"
for name in $sets; do
	for scores in "$work/$name"-unseen-*.csv; do
		[ ! -r "$scores" ] || rows "$name" <"$scores"
	done
done
cat <<'MD'

Decisions among configurations that were run, as above: the fastest when a tenth of each problem's configurations is
seen, beside the best of those seen; and the least node-hours in time, when half of a problem is seen and when nothing is.
Costs are means over those of the best. Of halo no problem, with its stencil and method, was run in ten configurations.

| runs | asked | fastest | best seen | half seen: answered | in time | cost | nothing seen: answered | in time | cost |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
MD
for name in $sets; do
	[ ! -s "$work/$name-decisions.csv" ] || decision_rows "$name" <"$work/$name-decisions.csv"
done
[ -s "$work/asked" ] || exit 0
cat <<'MD'

And the test that counts: `lemnos recommend`, of all legal configurations, with a base of the first campaign alone, is asked for the
least node-hours for the problems that it has not, by a deadline (the 25, 50 and 75 % quantiles of the times of the problem's
own campaign), to be met with 90 %. Then what it advises is simulated. *Promised* is the sum of the probabilities, to be
compared with *in time*; *inside* those whose time lay in the 90 % interval; *cost* is the node-hours over those of the
cheapest run in time of the problem's own campaign, the geometric mean: below 1 the advice was better than all of these.

| runs | asked | answered | promised | in time | inside | error: mean | worst | cost |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
MD
asked_summary
printf '\n| runs | problem | deadline | advice: nodes, grid, settings | predicted (90 %%) | support | promised | happened | cost |\n'
echo "| --- | --- | ---: | --- | --- | --- | ---: | --- | ---: |"
asked_rows
