# How a code scales: 1e-6 n^2 nodes^-0.85 (1 + 0.1 (ln(tile / 32) / ln 2)^2) + 0.05 ln(2 nodes) s, on nodes
# of 16 cores; the runs lie within 1 % of it.
awk 'BEGIN { print "n,nodes,ppn,tile,time_s"
	for (n = 1000; n <= 8000; n *= 2) for (k = 1; k <= 32; k *= 2) for (t = 16; t <= 64; t *= 2) {
		s = 1e-6 * n ^ 2 * k ^ -.85 * (1 + .1 * (log(t / 32) / log(2)) ^ 2) + .05 * log(2 * k)
		for (r = 0; r < 2; r++)
			printf "%d,%d,16,%d,%.4f\n", n, k, t, s * (1 + .005 * ((n / 1000 * 3 + k * 5 + t + r * 2) % 5 - 2)) } }' >q.csv
"$lemnos" init --kb q.kb --quiet >/dev/null
"$lemnos" ingest q.csv --kb q.kb --app q --machine m --target time_s --problem n --tunable tile \
	--resource nodes=nodes,ppn=ppn --constraint 'tile % 16 = 0' --quiet >/dev/null
"$lemnos" mine --kb q.kb --quiet >/dev/null
ask() { "$lemnos" predict --kb q.kb "$@" 2>&1; echo "exit status $?"; }
rounded() { grep -v '^predictor' | sed -E 's/([0-9]+\.[0-9]{2})[0-9]+/\1/g'; }
echo '-- a list that goes on'
ask --problem 4000 --nodes 1,2,4,8..64 --set tile=32 | rounded
echo '-- two lists: what is illegal is named'
ask --problem 4000 --nodes 2..32*4 --set tile=16,32,40 | rounded
echo '-- for scripts'
ask --problem 4000 --nodes 2,1 --set tile=32,64 --format csv | rounded
ask --problem 4000 --nodes 2,2 --set tile=32,40 --format json |
	sed -E 's/(_s|_hours)": [0-9.]+/\1": N/'
echo '-- the fewest nodes cannot be'
"$lemnos" init --kb p.kb --quiet >/dev/null
awk -F, 'NR == 1 || $2 > 1 || $1 < 4000' q.csv >p.csv
"$lemnos" ingest p.csv --kb p.kb --app p --machine m --target time_s --problem n --tunable tile \
	--resource nodes=nodes,ppn=ppn --constraint 'nodes > 1 or n < 4000' --quiet >/dev/null
"$lemnos" mine --kb p.kb --quiet >/dev/null
"$lemnos" predict --kb p.kb --problem 2000,4000 --nodes 1,2,4 --set tile=32 2>&1 | rounded
echo '-- mistakes'
ask --problem 4000 --nodes 1..1000 --set tile=16..64
ask --problem 4000 --nodes 1..100000000 --set tile=16
ask --problem 4000 --nodes 8..1 --set tile=16
ask --problem 4000 --nodes 1,two --set tile=16
ask --problem 4000 --nodes 1,2 --set tile=41,49
ask --problem 4000 --nodes 1,2
ask --nodes 1,2 --set tile=16
ask --problem 4000 --nodes 1,2 --set nodes=4,tile=16
ask --problem 4000 --nodes 1,2 --set tile=16 --plot a.jpg
ask --problem 4000 --nodes 2 --set tile=16,32 --plot a.gp
ask --problem 500..4000+500 --nodes 1,2 --set tile=20 --plot a.gp
ask --from q.csv --plot a.gp
ls a.gp 2>/dev/null
"$lemnos" init --kb empty.kb --quiet >/dev/null
"$lemnos" predict --kb empty.kb --problem 4000 --nodes 1,2
