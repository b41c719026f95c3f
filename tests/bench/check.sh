#!/bin/sh
# The arithmetic of the benchmarks, on numbers of which the answer is known. Runs nothing for long.
# usage: check.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
passed=0 failed=0

is() { # WHAT WANTED GOT
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf '  FAIL  %s\n    wanted: %s\n    got:    %s\n' "$1" "$2" "$3"
	fi
}

exponent() { awk -f "$here/fit_exponent.awk"; }
# 5 + 1e-4 n^1.5: 8.2 105 3167 100005; the slope through the last three is 1.49.
is "an exponent is found above the fixed cost" "1.49 3" \
	"$(printf '%s\n' "1000 8.2" "10000 105" "100000 3167" "1000000 100005" | exponent)"
is "a cost that does not grow has no exponent" "- 0" \
	"$(printf '%s\n' "1000 2" "10000 2.1" "100000 2.4" | exponent)"
is "one size beyond the fixed cost is not enough" "- 1" \
	"$(printf '%s\n' "1000 2" "10000 2.1" "100000 7" | exponent)"

history() { # NEWEST-LINE...: what is said of them after three quiet entries of 1.0, 1.01 and 0.99 s
	{
		echo "date,commit,machine,load,what,value,unit,noise"
		echo "d1,c1,here,0.1,import,1.00,s,0.01"
		echo "d2,c2,here,0.1,import,1.01,s,0.01"
		echo "d3,c3,here,0.1,import,0.99,s,0.01"
		echo "d3,c3,elsewhere,0.1,import,9,s,0.01"
		printf '%s\n' "$@"
	} | awk -f "$here/compare_history.awk" | sed -n 3p
}
is "twice the time is worse" "| import | 1 s | 3 | 2 s | 2.00 | worse |" \
	"$(history "d4,c4,here,0.1,import,2.0,s,0.01")"
is "8 % is not, however quiet the machine" "| import | 1 s | 3 | 1.08 s | 1.08 |  |" \
	"$(history "d4,c4,here,0.1,import,1.08,s,0")"
is "nor is twice the time of runs that scatter by half a second" "| import | 1 s | 3 | 2 s | 2.00 |  |" \
	"$(history "d4,c4,here,0.1,import,2.0,s,0.5")"
is "half the time is better" "| import | 1 s | 3 | 0.5 s | 0.50 | better |" \
	"$(history "d4,c4,here,0.1,import,0.5,s,0.01")"
is "another machine is not compared with" "| import | | 0 | 2 s | | new |" \
	"$(history "d4,c4,other,0.1,import,2.0,s,0.01")"
is "what was not measured before is new" "| mine | | 0 | 2 s | | new |" \
	"$(history "d4,c4,here,0.1,mine,2.0,s,0.01")"

bounds() { # NODES-EXPRESSION: of 13 configurations, the k-th in 2^k s; of times known within 1 %
	awk -v OFS=, "BEGIN { print \"size\", \"k\", \"nodes\", \"time_s\"
		for (k = 0; k < 13; k++) print 1, k, $1, 2 ^ k }" |
		awk -v problem=size -v target=time_s -v draws=500 -f "$here/choice_bounds.awk" |
		awk -F '|' '/ 1 % / { printf "%.3f %.1f %s\n", $3, $5, $6 }'
}
is "the fastest is found, and is the cheapest on as many nodes" "1.000 1.0  100.0 % " "$(bounds 1)"
# The quartiles are times 3, 6 and 9. On 4^(12 - k) nodes each step up halves the cost, so the cheapest in
# time is the one that takes just as long as the deadline. With nothing seen it is believed to be in time
# with 90 % in a tenth of all draws, else the next is taken, which costs twice: 0.1 + 0.9 * 2.
is "who must be sure pays for it" "1.000 1.9  100.0 % " "$(bounds "4 ^ (12 - k)")"

# Park and Miller from 7, over 2^31 - 1: 0.00005 0.92 0.29 0.21 0.73, so c = 50, p = 2^4, q = 2, the
# second mk, the third mmi.
is "runs are the same everywhere" "sweep3d,big,simulated,50,50,50,16,2,32,5,3,12" \
	"$(sh "$here/make_runs.sh" 1 | sed -n 2p | cut -d , -f 1-12)"
is "as many runs as asked for" "1001" "$(sh "$here/make_runs.sh" 1000 | awk 'END { print NR }')"

# From 8 % at 10 runs to 0.5 % at 40 a straight line in logarithms is at 2 % at 20; from 4 % at 80 to 1 % at 160
# at 80 * sqrt 2 = 113, and 0.5 % is not reached.
curves() {
	{
		for seed in 1 2; do
			printf '%s\n' "made adaptive $seed 10 0.08 nan 0.04" "made adaptive $seed 40 0.005 0.01 0.005" \
				"made latin $seed 80 0.04 0.02 0.03" "made latin $seed 160 0.01 0.02 0.02" "made random $seed 160 0.03 0.02 0.01"
		done
	} | awk -f "$here/adaptive_table.awk" | sed -n "$1"
}
is "where a curve reaches a loss is interpolated" "| made | 20 | 113 | 5.7 | > 160 | more than 8.0 | met |" "$(curves 6p)"
is "few runs have a table of their own, and count in no other" "| made | 8 | 1.50 % | 1 of 2 |  | 3.00 % |" "$(
	{
		printf 'made lucky %s\n' "1 8 0.01 nan 0" "2 8 0.05 nan 0"
		printf 'made hindsight %s\n' "1 8 0.01 nan 0" "2 8 0.02 nan 0"
		echo "made fastest 1 8 0.03 nan 0"
		echo "made adaptive 1 8 0.04 nan 0"
	} | awk -f "$here/adaptive_table.awk" | grep '^| made | 8 | 1'
)"
is "what is not reached is no number" "| made | 40 | > 160 | more than 4.0 | > 160 | more than 4.0 | met |" "$(curves 18p)"
# From 4 % to 0.5 % in three halvings of the loss: 2 % after one, at 10 * 4^(1 / 3) = 15.9.
is "the worst problem is left out" "| made | 16 | 160 | 10.0 | <= 160 | at most 10.0 | met |" "$(curves 12p)"
is "a curve is told by runs, empty where nothing was measured" "| 10 | 8.00 % | 8.00 % | 4.00 % |  |  |  |  |  |  |  |" "$(curves 24p)"

if command -v python3 >/dev/null; then
	traps() { (cd "$here" && PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=$1 python3 -c "$2"); }
	table='import random, trap_kinds as t, zlib
for k in t.KINDS: print(k, zlib.crc32(repr([t.KINDS[k](random.Random(s)).rows for s in "12"]).encode()))'
	is "a seed of traps gives one table" "$(traps 1 "$table")" "$(traps 2 "$table")"
	# A best of several is a lucky one, and a run that was cut took longer; the others scatter about their law.
	is "runs of traps are of the law that judges them" "" "$(traps 1 'import random, statistics, trap_kinds as t
for k in t.KINDS:
	x = t.KINDS[k](random.Random(1))
	of = [r["time"] / x.law(r) for r in x.rows if r["status"] == "COMPLETED"]
	if not 0.97 < statistics.median(of) < 1.2: print(k, statistics.median(of))')"
	# Three answers of 0.85, 0.85 and 0.99: one late in all re-runs, by far.
	is "wrong answers and bands of traps are counted" "3 1 1 1 2 0.5 1 1.0 1" "$(traps 1 'import traps
row = dict(kind="k", seed=1, answer="submit", support="edge", said=0.85, true=1.0, wrong=0, far=0, could=0, clear=0)
rows = [row, dict(row, true=0.0, wrong=1, far=1), dict(row, said=0.99), dict(row, answer="no", could=1)]
t = traps.tally("k", rows)
print(*(t[k] for k in ("submits", "wrong", "wrong edge", "tables wrong", "n 0.8-0.9", "kept 0.8-0.9", "n 0.99-1",
                       "kept 0.99-1", "no, could")))')"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
