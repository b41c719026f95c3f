# A run or two a day; from 2026-02-20 on, all take 1.5 times as long: n = 800 on 4 nodes with mg 20.6 s, 13.7 s before.
runs() {
	awk -v epoch="$1" 'BEGIN {
		srand(5)
		print (epoch ? "timestamp" : "Start Time") ",n,nodes,solver,time"
		for (i = 0; i < 90; i++) {
			n = 200 * 2 ^ (7 * i % 4); nodes = 2 ^ (5 * i % 3); solver = 3 * i % 7 < 3 ? "cg" : "mg"
			t = n * n / 10000 / nodes ^ 0.95 * (solver == "mg" ? 0.8 : 1) * (1 + 0.03 * (2 * rand() - 1))
			day = 1 + int(i * 0.9)
			if (day > 50) t *= 1.5
			if (epoch) date = 1767225600 + 86400 * (day - 1)
			else if (i == 3) date = "a Monday"
			else date = sprintf("2026-%02d-%02dT%02d:30:00", day > 59 ? 3 : day > 31 ? 2 : 1,
				day > 59 ? day - 59 : day > 31 ? day - 31 : day, i % 24)
			printf "%s,%d,%d,%s,%.4g\n", date, n, nodes, solver, t
		}
	}'
}
ask() { # FILE
	rm -rf kb
	"$lemnos" ingest "$1" --kb kb --app toy --machine there --target time --problem n --tunable solver \
		--resource nodes=nodes 2>&1 | grep date
	"$lemnos" mine --kb kb --quiet
	"$lemnos" recommend --kb kb --quiet --problem n=800 --objective time | sed -n 1,2p
	"$lemnos" explain --kb kb | tr '\n' ' ' | sed -n 's/.*\(From 2026[^:]*\):.*/\1/p'
}
echo "--- times of day"
runs "" >a.csv
ask a.csv
echo "--- seconds since 1970"
runs 1 >b.csv
ask b.csv
echo "--- a column of another name"
sed 's/^timestamp,/batch,/' b.csv >c.csv
ask c.csv
echo "--- days first, as one of them tells: 25/01/2026"
awk -F, -v OFS=, 'NR > 1 && $1 ~ /^2026/ { $1 = substr($1, 9, 2) "/" substr($1, 6, 2) "/2026" } 1' a.csv >days.csv
ask days.csv
echo "--- with dots"
sed 's|^\([0-9]*\)/\([0-9]*\)/|\1.\2.|' days.csv >dots.csv
ask dots.csv

echo "--- a setting that was changed two months later: which of both made the times, nothing tells"
awk 'BEGIN {
	print "date,n,nodes,solver,time"
	for (i = 0; i < 24; i++) {
		n = 200 * 2 ^ int(i / 2 % 4); nodes = 2 ^ int(i / 8)
		t = n * n / 10000 / nodes ^ 0.95 * (1 + 0.01 * (i * 7 % 5 - 2)) * (i % 2 ? 1.3 : 1)
		printf "2026-%02d-%02d,%d,%d,%s,%.4g\n", i % 2 ? 5 : 2, i + 1, n, nodes, i % 2 ? "mg" : "cg", t
	}
}' >d.csv
rm -rf kb
"$lemnos" ingest d.csv --kb kb --app toy --machine there --target time --problem n --tunable solver \
	--resource nodes=nodes 2>&1 | grep date
"$lemnos" mine --kb kb --quiet
for deadline in 20s 25s; do
	"$lemnos" recommend --kb kb --quiet --problem n=800 --deadline $deadline | sed -n '1,6p'
done
"$lemnos" recommend --kb kb --quiet --problem n=800 --objective time | sed -n '1,3p'

echo "--- one of them again, slower, after three days: what is promised allows for a change"
awk -F, 'NR == 1 || $4 == "mg"' d.csv >e.csv
echo 2026-05-27,800,4,mg,33.4 >>e.csv
rm -rf kb
"$lemnos" ingest e.csv --kb kb --app toy --machine there --target time --problem n --tunable solver \
	--resource nodes=nodes >/dev/null 2>&1
"$lemnos" mine --kb kb --quiet
"$lemnos" recommend --kb kb --quiet --problem n=800 --deadline 25s | grep -v known

echo "--- a month later it is one"
sed 's/2026-05-27/2026-08-27/' e.csv >f.csv
rm -rf kb
"$lemnos" ingest f.csv --kb kb --app toy --machine there --target time --problem n --tunable solver \
	--resource nodes=nodes >/dev/null 2>&1
"$lemnos" mine --kb kb --quiet
"$lemnos" recommend --kb kb --quiet --problem n=800 --deadline 25s | sed -n '1,4p'
