# tile divides size in all runs; the largest tile is the fastest.
awk 'BEGIN { print "size,tile,nodes,time"
	for (s = 48; s <= 240; s += 16) for (t = 8; t <= 20; t += 4) for (n = 1; n <= 4; n *= 2)
		if (s % t == 0) print s "," t "," n "," s * s / t / n }' >a.csv
"$lemnos" ingest a.csv --kb kb --app toy --machine there --target time --problem size \
	--tunable tile --resource nodes=nodes --quiet >out
"$lemnos" mine --kb kb --quiet >out
ask() {
	echo "--- $*"
	"$lemnos" recommend --verbose --kb kb --objective time --quiet "$@" >answer 2>&1
	grep -E '^(Submit|lemnos|No[: ]|support|AT RISK|not run|chosen from|kept to)' answer
}
id=$("$lemnos" rules --kb kb --kind invariant --format csv | sed -n '2s/^[^,]*,\([0-9a-f]*\),.*/\1/p')
ask --problem size=128
ask --problem size=100
ask --problem size=126
ask --problem size=128 --set tile=20
"$lemnos" recommend --verbose --kb kb --objective time --quiet --problem size=128 --format json |
	grep -A 6 '"invariants"'
echo "--- refused, it binds no more, mined again or not"
"$lemnos" rules refuse "$id" --why 'tiles may be cut' --kb kb --quiet >out
ask --problem size=128
echo '288,8,1,10400' | sed '1i size,tile,nodes,time' >b.csv
"$lemnos" ingest b.csv --kb kb --app toy --machine there --quiet >out
"$lemnos" mine --kb kb --quiet >out
ask --problem size=128
"$lemnos" rules --kb kb --kind invariant --state refused --format csv | cut -d , -f 1-4 | sed 1d
echo "--- runs of tiles that do not divide n failed, and no others: neither 3 nor 6 is proposed for a new n of 500"
awk 'BEGIN {
	print "n,tile,nodes,time,status"
	for (n = 100; n <= 600; n += n < 400 ? 100 : 200)
		for (tile = 1; tile <= 6; tile += tile < 4 ? 1 : 2)
			for (nodes = 1; nodes <= 4; nodes *= 2)
				print n "," tile "," nodes "," (n % tile ? "" : n * n / 900 / nodes * (1.5 - tile / 20)) "," \
					(n % tile ? "failed" : "ok")
}' >tiles.csv
"$lemnos" ingest tiles.csv --kb t.kb --app tiled --machine there --target time --problem n --tunable tile \
	--resource nodes=nodes --quiet >out
"$lemnos" mine --kb t.kb --quiet >out
"$lemnos" rules --kb t.kb --kind invariant --format csv | cut -d, -f3-5
"$lemnos" recommend --verbose --kb t.kb --problem n=500 --objective time --quiet | grep -E '^(Submit|kept to)'
echo "--- a tile that is asked for all the same fails as those did that broke it"
"$lemnos" recommend --kb t.kb --problem n=500 --set tile=6 --deadline 1h --quiet >answer
echo "exit status $?"
grep -E '^(No|best|AT RISK)|in time for' answer
