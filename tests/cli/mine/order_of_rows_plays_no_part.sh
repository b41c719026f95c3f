# Three shuffles of one table, its halves imported in either order, and one undone and imported again:
# fits, rules, back-tests and answers are equal byte by byte. Only what names files and runs of a base
# differs: snapshots, the identity of the answer, and the numbers of runs.
awk 'BEGIN {
	split("row col blk", layout)
	for (n = 1000; n <= 4000; n *= 2)
		for (nodes = 1; nodes <= 4; nodes *= 2)
			for (nb = 16; nb <= 64; nb *= 2)
				for (l = 1; l <= 3; l++) {
					k++
					if (k % 3 == 0 || k % 7 == 1)
						continue
					for (r = 0; r <= k % 2; r++) {
						t = n ^ 2.5 * 1e-8 / nodes ^ 0.8 + 0.01 * nodes
						t *= (1 + 0.05 * (nb == 16) + 0.04 * (l == 2))
						t *= 1 + 0.03 * sin(37 * k + 11 * r)
						status = k % 31 == 0 ? "failed" : k % 37 == 0 ? "timeout" : "ok"
						printf "%d,%d,4,%d,%s,%.5g,%s\n", n, nodes, nb, layout[l], t, status
					}
				}
}' >rows
header=n,nodes,ppn,nb,layout,time,status
load() {
	base=$1
	shift
	"$lemnos" ingest "$@" --kb "$base" --app lu --machine there --target time --problem n \
		--tunable nb,layout --categorical layout --resource nodes=nodes,ppn=ppn --quiet >ingest.out
}
ask() {
	"$lemnos" mine --kb "$1" --quiet >mine.out
	sqlite3 "$1" 'SELECT explanation, n_runs FROM fit; SELECT name, value FROM fit_parameter ORDER BY position'
	"$lemnos" rules --kb "$1" --format json
	"$lemnos" evaluate --kb "$1" --format json
	for question in '--deadline 1s' '--deadline 1ms' '--objective time --next 2' '--budget 0.01nh'; do
		# shellcheck disable=SC2086
		"$lemnos" recommend --kb "$1" --problem 3000 $question --format json
	done
}
answers() {
	ask "$1" 2>&1 | grep -vE '"(id|snapshot|facts|run_id|identity)": ' >"$1.answers"
	cmp "$1.answers" s1.kb.answers && echo "$1 as s1.kb"
}
n=$(wc -l <rows)
for k in 1 2 3; do
	# n rows from row k on, each 5 or 7 ... rows after the last
	awk -v k=$k -v n="$n" '{ row[NR] = $0 } END {
		step = 2 * k + 3
		while (n % step == 0 || step % 3 == 0)
			step += 2
		for (i = 0; i < n; i++)
			print row[(k + i * step) % n + 1]
	}' rows >shuffled
	(echo $header && cat shuffled) >"s$k.csv"
	load "s$k.kb" "s$k.csv"
	answers "s$k.kb"
done
(echo $header && head -n 50 rows) >head.csv
(echo $header && tail -n +51 rows) >tail.csv
load a.kb head.csv
load a.kb tail.csv
answers a.kb
load b.kb tail.csv
load b.kb head.csv
answers b.kb
"$lemnos" imports undo 1 --kb b.kb --quiet >undo.out
load b.kb tail.csv
answers b.kb
sort -u rows | wc -l | tr -d ' '
grep -c predicted_s s1.kb.answers
