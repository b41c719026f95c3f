# A grid of two problem columns of 8 levels each, and a ripple between levels that no power law has:
# questions between the levels are harder than held-out runs of the grid, and their intervals say so.
# 5 (n / 100)^1.5 (m / 10)^0.9 nodes^-0.9 exp(0.15 sin(3 ln(n / 100)) + 0.1 sin(4 ln(m / 10))) s
awk 'BEGIN { print "n,m,nodes,time_s"
	for (i = 0; i < 8; i++) for (j = 0; j < 8; j++) for (p = 1; p <= 4; p *= 2) {
		x = int(100 * 1.6 ^ i); y = int(10 * 1.7 ^ j)
		s = 5 * (x / 100) ^ 1.5 * (y / 10) ^ .9 * p ^ -.9
		s *= exp(.15 * sin(3 * log(x / 100)) + .1 * sin(4 * log(y / 10)))
		printf "%d,%d,%d,%.4f\n", x, y, p, s * (1 + .01 * ((i * 3 + j * 5 + p) % 7 - 3) / 3) } }' >a.csv
"$lemnos" init --kb a.kb --quiet >/dev/null
"$lemnos" ingest a.csv --kb a.kb --app a --machine m --target time_s --problem n,m --resource nodes=nodes --quiet >/dev/null
"$lemnos" mine --kb a.kb --quiet >/dev/null
"$lemnos" evaluate --kb a.kb --app a --protocols configurations,levels --predictors gaussian-process
# on the grid; one value between levels; two. 92.6 s, 135.9 s, 187.9 s
for set in n=655,m=49,nodes=4 n=800,m=49,nodes=4 n=800,m=64,nodes=4; do
	echo "--- $set"
	"$lemnos" predict --kb a.kb --app a --set $set | grep -E '90 %|^support'
done
