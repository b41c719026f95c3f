# Tiles of 64 are 40 times slower on large problems; all their runs there, and two of the largest
# problem on one node, were cut at an hour: 30 (n / 1000)^2.5 nodes^-0.9 s otherwise.
awk 'BEGIN { print "n,tile,nodes,time_s,status"
	for (n = 1000; n <= 8000; n *= 2) for (t = 8; t <= 64; t *= 2) for (p = 1; p <= 8; p *= 2) {
		s = 30 * (n / 1000) ^ 2.5 * p ^ -.9 * (1 + .01 * ((n / 1000 * 3 + t + p * 5) % 5 - 2))
		if (t == 64 && n >= 4000) s *= 40
		if (s > 3600) printf "%d,%d,%d,3600,timeout\n", n, t, p
		else printf "%d,%d,%d,%.3f,ok\n", n, t, p, s } }' >a.csv
"$lemnos" init --kb a.kb --quiet >/dev/null
"$lemnos" ingest a.csv --kb a.kb --app a --machine m --target time_s --problem n --tunable tile \
	--resource nodes=nodes --quiet >/dev/null
"$lemnos" mine --kb a.kb --quiet >/dev/null
predict() {
	"$lemnos" predict --kb a.kb --app a "$@"
}
# took 3 h 7 min; 1 h 33 min; 2851 s by itself; 4 min 41 s
for set in n=4000,tile=64,nodes=4 n=8000,tile=16,nodes=1 n=8000,tile=16,nodes=2 n=4000,tile=32,nodes=4; do
	echo "--- $set"
	predict --set $set | grep -E '90 %|^support|^CUT'
done
# never run: nor is it quick
echo '--- n=8000,tile=64,nodes=6'
predict --set n=8000,tile=64,nodes=6 | grep -E '90 %|^support|^CUT'
predict --set n=4000,tile=32,nodes=4 --format json | grep -c outlasts_s
predict --set n=4000,tile=64,nodes=4 --format json | grep outlasts_s
