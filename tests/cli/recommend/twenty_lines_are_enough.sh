# Whatever is asked, the answer takes at most 20 lines, of the width there is, and no word is lost.
cp "$mined" a.kb
short() {
	for columns in "" 100 80 60; do
		COLUMNS=$columns "$lemnos" recommend --quiet "$@" >out 2>&1
		[ "$(wc -l <out)" -le 20 ] || { echo "$(wc -l <out) lines on $columns columns: $*"; cat out; }
		[ -z "$columns" ] || awk -v n="$columns" 'length > n { print n ": " $0 }' out
		grep -cE '^(next: |.*: lemnos explain )' out | grep -v '^2$'
	done
	grep -oE '^(Submit|No: none of|No configuration like those that were run)' out
}
echo "--- what ships: yes, no, a budget, several machines, a what if, the clock"
export LEMNOS_NOW=2026-11-21T16:25:00
for ask in "--deadline 1h" "--deadline 1s" "--budget 2nh" "--budget 0.01nh" "--deadline 10s --budget 0.5nh" \
	"--objective time" "--by 18:00 --budget 2nh" "--machine any --objective time" \
	"--machine any --deadline 1ms" "--machine sp2-c --like iblike --deadline 1s"; do
	# shellcheck disable=SC2086
	short --kb a.kb --problem 280x280x255 --max-nodes 24 $ask
done
echo "--- many long names, a column that never varied, knowledge that is old"
name() { printf 'a_rather_long_name_that_somebody_thought_of_%s' "$1"; }
for i in 1 2 3 4 5; do
	{
		echo "$(name problem),nodes,$(name tile),$(name layout),$(name copies),$(name depth),time_s,status"
		awk -v i=$i 'BEGIN {
			for (n = 100; n <= 200; n += 100)
				for (nodes = 1; nodes <= 8; nodes *= 2)
					for (tile = 4; tile <= 16; tile *= 2)
						for (k = 1; k <= split("rows columns", layout); k++)
							printf "%d,%d,%d,%s,1,%d,%.4f,ok\n", n, nodes, tile, layout[k], tile, i * n * n / nodes / (500 + tile)
		}'
	} >runs.csv
	"$lemnos" ingest runs.csv --kb b.kb --app qr --machine "a_machine_far_away_with_a_long_name_$i" --target time_s --quiet \
		--problem "$(name problem)" --tunable "$(name tile),$(name layout),$(name copies),$(name depth)" \
		--resource nodes=nodes >/dev/null 2>&1
done
"$lemnos" mine --kb b.kb --quiet >mined
awk 'length > 100' mined
"$lemnos" ingest runs.csv --kb b.kb --app qr --machine "a_machine_far_away_with_a_long_name_1" --quiet >/dev/null
for ask in "--objective time" "--deadline 30s" "--deadline 1ms" "--deadline 30s --budget 2nh --next 1"; do
	for machine in any a_machine_far_away_with_a_long_name_1; do
		# shellcheck disable=SC2086
		short --kb b.kb --app qr --problem "$(name problem)=200" --machine $machine ${ask% --next 1}
	done
done
echo "--- what keeps somebody from a wrong job comes first, and what is left out is counted"
COLUMNS=80 "$lemnos" recommend --quiet --kb b.kb --app qr --problem "$(name problem)=200" --objective time \
	--machine a_machine_far_away_with_a_long_name_1 >out
grep -cE '^(stale|In these runs)' out
grep -oE '^and [0-9]+ more doubts|^all behind' out
"$lemnos" recommend --quiet --kb b.kb --app qr --problem "$(name problem)=200" --objective time --verbose \
	--machine a_machine_far_away_with_a_long_name_1 | grep -c '^nearest runs'
