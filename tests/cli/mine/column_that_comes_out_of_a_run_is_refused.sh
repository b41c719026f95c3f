# Times of (n / 1000)^2 1000 s / nodes^0.9, a little off, with what a run's log says of its speed.
awk 'BEGIN {
	print "n,nodes,tile,pace,time"
	for (n = 500; n <= 4000; n *= 2)
		for (d = 1; d <= 8; d *= 2)
			for (tile = 16; tile <= 32; tile *= 2) {
				t = 1000 * (n / 1000) ^ 2 / d ^ 0.9 * (tile == 32 ? 1.1 : 1)
				t *= 1 + 0.02 * sin(n + 3 * d + 7 * tile)
				printf "%d,%d,%d,%.3f,%.4g\n", n, d, tile, n ^ 3 / t / 1e6, t
			}
}' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app log --machine there --target time --problem n \
	--tunable tile,pace --resource nodes=nodes --quiet >ingest.out
"$lemnos" mine --kb a.kb --quiet
echo "mine: exit status $?"
"$lemnos" recommend --kb a.kb --quiet --problem n=2000 --deadline 10m
echo "recommend: exit status $?"
echo "--- without it"
"$lemnos" ingest runs.csv --kb b.kb --app log --machine there --target time --problem n \
	--tunable tile --resource nodes=nodes --quiet >ingest.out
"$lemnos" mine --kb b.kb --quiet >mine.out
"$lemnos" recommend --kb b.kb --quiet --problem n=2000 --deadline 20m | sed -n 1,2p
echo "--- node-hours are no problem"
awk -F , '{ printf "%s,%s,%s,%s\n", $1, $2, NR == 1 ? "nodehours" : sprintf("%.3f", $2 * $5 / 3600), $5 }' \
	runs.csv >hours.csv
"$lemnos" ingest hours.csv --kb c.kb --app log --machine there --target time --problem n,nodehours \
	--resource nodes=nodes --quiet >ingest.out
"$lemnos" mine --kb c.kb --quiet
echo "mine: exit status $?"
