# Algorithm b takes exactly 1.3 times as long as a, is run with large blocks mostly, which take longer
# as well; tile does nothing, width is 4 tile. The rule says what b costs, all else equal.
awk 'BEGIN {
	print "n,nodes,alg,nb,tile,width,time_s"
	for (n = 1000; n <= 2800; n += 200)
		for (nodes = 1; nodes <= 4; nodes *= 2)
			for (b = 0; b <= 1; b++)
				for (nb = 16; nb <= 128; nb *= 2)
					for (tile = 8; tile <= 32; tile *= 2) {
						k++
						if ((b == (nb <= 32)) && k % 4 != 0)
							continue
						printf "%d,%d,%s,%d,%d,%d,%.9f\n", n, nodes, b ? "b" : "a", nb, tile, 4 * tile,
							2e-6 * n * n / nodes * (b ? 1.3 : 1) * (nb / 16) ^ 0.2
					}
}' >runs.csv
"$lemnos" ingest runs.csv --kb kb --app toy --machine m --target time_s --problem n \
	--tunable alg,nb,tile,width --resource nodes=nodes --categorical alg --quiet >ingest.out
"$lemnos" mine --kb kb --quiet >mine.out
"$lemnos" rules --kb kb --kind choice --column alg
"$lemnos" rules show 2176966a69a5 --kb kb | sed -n '/^  effect/,/^  by luck/p'
"$lemnos" rules --kb kb --column alg --kind choice --format json >a.json
echo "--- part, against, cost, 1.3 within its interval, how wide that is at most"
sqlite3 :memory: "SELECT value ->> 'part', value ->> 'against', round(value ->> 'cost', 6),
value ->> 'lo' <= 1.3 AND 1.3 <= value ->> 'hi', (value ->> 'hi') - (value ->> 'lo') < 0.003
FROM json_each(readfile('a.json'), '\$.rules[0].costs')"
"$lemnos" rules --kb kb --column alg --kind choice --format csv >a.csv
sqlite3 :memory: '.import --csv a.csv r' "SELECT cost_part, cost_against, cost_lo <= 1.3, cost_hi >= 1.3 FROM r"
echo "--- nothing is said of what does nothing"
"$lemnos" rules --kb kb --kind choice --column tile
"$lemnos" rules --kb kb --kind choice --column width
