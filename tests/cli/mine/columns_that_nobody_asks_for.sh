# Of each pair of runs one found its files in the cache, 30 s instead of 60 s for n = 800 on 4 nodes; a job to come may find them or not.
runs() {
	awk -v date="$1" 'BEGIN {
		print "n,nodes," (date ? "date" : "cache") ",time"
		for (i = 0; i < 32; i++) {
			n = 200 * 2 ^ int(i / 2 % 4); nodes = 2 ^ int(i / 8); odd = (i + int(i / 2)) % 2
			t = n * n / 5333 / nodes ^ 0.98 * (1 + 0.01 * (i * 7 % 5 - 2)) * (odd ? 2 : 1)
			if (date == "dots") what = sprintf("%d.%d.2026", 1 + i % 28, odd ? 5 : 2)
			else if (date == "days") what = sprintf("2026%02d%02d", odd ? 5 : 2, 1 + i % 28)
			else if (date == "strokes") what = sprintf("2026/%02d/%02d", odd ? 5 : 2, 1 + i % 28)
			else what = odd ? "cold" : "warm"
			printf "%d,%d,%s,%.4g\n", n, nodes, what, t
		}
	}'
}
ask() {
	rm -rf kb
	runs "$1" >a.csv
	"$lemnos" ingest a.csv --kb kb --app toy --machine there --target time --problem n \
		--resource nodes=nodes >/dev/null 2>&1
	"$lemnos" mine --kb kb --quiet >/dev/null
	for deadline in 45s 75s; do
		"$lemnos" recommend --kb kb --quiet --problem n=800 --max-nodes 4 --deadline $deadline |
			sed -n '1,2p; /^Nobody asks/p'
	done
}
echo "--- a cache"
ask ""
for date in dots days strokes; do
	echo "--- dates with $date: the system changed, and is slower today"
	ask $date
done
