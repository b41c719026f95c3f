#!/bin/sh
# What the runs of data/runs/campaigns/ teach: hold some out, predict problems that another campaign ran, ask for
# advice on these and simulate what is advised. Prints the section of docs/evaluation.md. The last needs SimGrid;
# without it that table is left out.
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

# rows NAME: the scores on stdin as rows of a table
rows() {
	awk -F, -v name="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ printf "| %s | %s | %s | %d | %.1f %% | %.1f %% | %+.1f %% | %.1f ± %.1f %% | x%.2f |\n", name,
		$at["held_out"], $at["predictor"], $at["n_test"], 100 * $at["median_error"], 100 * $at["p90_error"],
		100 * $at["bias"], 100 * $at["coverage_90"], 100 * $at["coverage_90_error"], $at["width"] }'
}
score_head() {
	echo "| runs | held out | predictor | tested | median error | 90th percentile | bias | in 90 % | width |"
	echo "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
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
	evaluate >"$work/$name-scores.csv"
	evaluate --decisions >"$work/$name-decisions.csv"
	unseen=$runs/${name}_unseen.csv
	[ -r "$unseen" ] || continue
	sizes=$(sed 1d "$unseen" | cut -d , -f 4 | sort -nu)
	base "$name-both.kb" "$(application "$name")" "$(machine "$name")" "$runs/$name.csv" "$unseen"
	for size in $sizes; do
		problem=$(awk -F, -v s="$size" '$4 == s { print $4 " x " $5 " x " $6; exit }' "$unseen")
		evaluate --train "$(echo "$sizes" | sed 's/^/it_g != /' | paste -sd '&' - | sed 's/&/ and /g')" --test "it_g = $size" |
			awk -F, -v OFS=, -v p="$problem" 'NR > 1 { $3 = p } { print }' >"$work/$name-unseen-$size.csv"
	done
	command -v smpirun >/dev/null || { say "left out: what is advised for $name, no SimGrid" && continue; }
	say "asking $name"
	base "$name.asked.kb" "$(application "$name")" "$(machine "$name")" "$runs/$name.csv"
	base "$name.kb" "$(application "$name")" "$(machine "$name")" "$runs/$name.csv"
	lemnos mine >/dev/null 2>&1
	for problem in $(sed 1d "$unseen" | cut -d , -f 4-6 | tr , x | sort -u); do
		case $name in halo*) workloads="2,jacobi 2,cg" ;; *) workloads=- ;; esac
		for workload in $workloads; do
			for share in 0.25 0.5 0.75; do ask "$name" "$problem" "${workload#-}" "$share"; done
		done
	done
done

# ---- telling

cat <<'MD'
## Campaigns

MD
score_head
for name in $sets; do
	[ -r "$work/$name-scores.csv" ] || continue
	default=$(awk -F, 'NR == 2 { print $4 }' "$work/$name-scores.csv")
	grep -E "^app|,($default|power-law)," "$work/$name-scores.csv" | rows "$name"
done
echo
for name in $sets; do
	for scores in "$work/$name"-unseen-*.csv; do
		[ -r "$scores" ] || continue
		default=$(awk -F, 'NR == 2 { print $4 }' "$scores")
		grep -E "^app|,($default|power-law)," "$scores" | rows "$name"
	done
done
cat "$work/asked"
for name in $sets; do echo "$name | $(noise "$runs/$name.csv")"; done
