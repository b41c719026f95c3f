# Time and efficiency with the runs as points: a gnuplot of our own, so that the test needs none.
awk 'BEGIN { print "n,nodes,tile,time_s"
	for (n = 1000; n <= 4000; n *= 2) for (k = 1; k <= 8; k *= 2) for (t = 16; t <= 64; t *= 2)
		printf "%d,%d,%d,%.4f\n", n, k, t, 1e-6 * n ^ 2 / k * (1 + t / 64) }' >q.csv
"$lemnos" init --kb q.kb --quiet >/dev/null
"$lemnos" ingest q.csv --kb q.kb --app q --machine "it's m" --target time_s --problem n --tunable tile \
	--resource nodes=nodes --quiet >/dev/null
"$lemnos" mine --kb q.kb --quiet >/dev/null
mkdir bin
printf '#!/bin/sh\necho "<svg>"; cat; echo "</svg>"\n' >bin/gnuplot
chmod +x bin/gnuplot
ask() { PATH=$PWD/bin:$PATH "$lemnos" predict --kb q.kb --problem 2000 "$@" >answer; echo "exit status $?"; }
echo '-- through gnuplot: curves, and a point for each run, also on nodes that nobody asks about'
ask --nodes 16,1,2,4 --set tile=16,32 --plot a.svg
sed -E 's/([0-9]\.[0-9]{2})[0-9]+/\1/g; s/range .*/range .../' a.svg
echo '-- the same bytes again, and a table beside it'
ask --nodes 16,1,2,4 --set tile=16,32 --plot a.gp
ask --nodes 16,1,2,4 --set tile=16,32 --plot b.gp
cmp a.gp b.gp
grep -c '^ *[0-9]' answer
echo '-- a single list'
ask --nodes 1..4 --set tile=16 --plot c.gp
grep -c 'title .predicted' c.gp
