# What all rows of a file cost together: t = n^2 / nodes (1 + |tile - 32| / 64) / 1e4 s, with repeats 1 % apart.
awk 'BEGIN { print "n,nodes,tile,time_s"
	for (n = 1000; n <= 8000; n *= 2) for (k = 1; k <= 16; k *= 2) for (t = 16; t <= 64; t *= 2)
		for (r = -1; r <= 1; r += 2) printf "%d,%d,%d,%.5f\n", n, k, t,
			n ^ 2 / k * (1 + (t > 32 ? t - 32 : 32 - t) / 64) * 1e-4 * (1 + .005 * r) }' >q.csv
"$lemnos" init --kb q.kb --quiet >/dev/null
"$lemnos" ingest q.csv --kb q.kb --app q --machine m --target time_s --problem n --tunable tile \
	--resource nodes=nodes --cores-per-node 8 --quiet >/dev/null
"$lemnos" mine --kb q.kb --quiet >/dev/null
ask() { "$lemnos" predict --kb q.kb "$@" 2>&1; echo "exit status $?"; }
rounded() { sed -E 's/([0-9]\.[0-9])[0-9]+/\1/g; s/[0-9.]+ are enough/N are enough/; s/\(90 %: [^)]*\)/(90 %: A to B)/'; }
printf 'n,nodes,tile\n4000,4,32\n4000,8,32\n8000,1,16\n8000,1,16\n' >good.csv
(cat good.csv; printf '64000,4,32\n4000,0,16\n4000,2,\n') >mixed.csv
echo '-- four rows: 4 * 400 + 8 * 200 + 2 * 8000 s are 5.33 node-hours'
ask --app q --from good.csv --total | rounded
echo '-- one that is extrapolated, two that cannot be predicted'
ask --app q --from mixed.csv --total | rounded
echo '-- from a pipe, for scripts'
ask --app q --from - --total --format csv <good.csv | head -1
ask --app q --from - --total --format json <good.csv | sed -E 's/([0-9]\.[0-9])[0-9]+/\1/g'
echo '-- nothing to add up'
head -1 good.csv | ask --app q --from - --total
printf 'n,nodes,tile\n4000,0,16\n' | ask --app q --from - --total --format json | grep -v '_lo\|_hi'
echo '-- mistakes'
ask --app q --total --problem 4000
ask --app q --from good.csv --total=yes
