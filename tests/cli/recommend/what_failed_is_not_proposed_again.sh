# Run 5 failed at m = 200 on one node, and run 9 at m = 300 on two, both with tile 8.
cat >a.csv <<'CSV'
m,tile,nodes,ppn,time,status
100,8,1,2,10,ok
100,16,1,2,12,ok
100,8,2,2,5.2,ok
100,16,2,2,6.1,ok
200,8,1,2,,failed
200,16,1,2,47,ok
200,8,2,2,21,ok
200,16,2,2,25,ok
300,8,2,2,,failed
300,16,1,2,107,ok
300,8,4,2,24,ok
300,16,2,2,55,ok
CSV
"$lemnos" ingest a.csv --kb a.kb --app toy --machine there --target time --problem m \
	--tunable tile --resource nodes=nodes,ppn=ppn --quiet >ingest.out
"$lemnos" mine --kb a.kb --quiet >mine.out
ask() {
	echo "--- $*"
	"$lemnos" recommend --verbose --kb a.kb --objective time --quiet "$@" >answer
	status=$?
	grep -E '^(Submit|No |No:|Failed runs|AT RISK|nothing else|chosen from|left out)| (FAILED|ok)$' answer
	echo "exit status $status"
}
ask --problem m=200
ask --problem m=200 --set tile=8,nodes=1
ask --problem m=250 --set tile=8,nodes=1
ask --problem m=400 --set nodes=2
echo "--- in short"
"$lemnos" recommend --kb a.kb --objective time --quiet --problem m=250 --set tile=8,nodes=1 >answer
grep -E '^(Submit|Failed runs|AT RISK|next)' answer
echo "--- by a deadline: the next one fails with a chance of (2 + 1) / (2 + 2), as runs 5 and 9 say so"
"$lemnos" recommend --kb a.kb --deadline 1h --quiet --problem m=250 --set tile=8,nodes=1 >answer
echo "exit status $?"
grep -E '^(No:|best effort|AT RISK|next)|in time for' answer
echo "--- one that ended at m = 250 on one node: nothing says any more that nodes run full at 200"
printf 'm,tile,nodes,ppn,time,status\n250,8,1,2,60,ok\n' >b.csv
"$lemnos" ingest b.csv --kb a.kb --app toy --machine there --quiet >ingest.out
"$lemnos" mine --kb a.kb --quiet >mine.out
ask --problem m=260 --set tile=8,nodes=1
ask --problem m=200 --set tile=8,nodes=1
echo "--- people may judge the failure to be one of the machine"
"$lemnos" runs exclude 5 --why 'a cable' --kb a.kb >exclude.out
ask --problem m=200 --set tile=8,nodes=1
echo "--- programs"
printf 'm,tile,nodes,ppn,time,status\n500,8,4,2,,failed\n' >d.csv
"$lemnos" ingest d.csv --kb a.kb --app toy --machine there --quiet >ingest.out
"$lemnos" recommend --verbose --kb a.kb --objective time --quiet --problem m=400 --format json >answer
grep -A 4 '"left_out"\|"warning"' answer
grep -c '"status": "failed"' answer
"$lemnos" explain --kb a.kb "$(sed -n 's/^  "id": "\(.*\)",$/\1/p' answer)" 2>&1 | grep '^left out'
echo "--- each of its runs was cut by its time limit"
cat >c.csv <<'CSV'
m,tile,nodes,time,status
100,4,1,100,ok
100,8,1,110,ok
100,4,2,50,ok
100,8,2,55,ok
200,4,1,400,ok
200,8,1,440,ok
200,4,2,200,ok
200,8,2,220,ok
400,4,1,900,timeout
400,8,1,900,timeout
400,4,2,800,ok
400,8,2,880,ok
CSV
"$lemnos" ingest c.csv --kb c.kb --app cut --machine there --target time --problem m \
	--tunable tile --resource nodes=nodes --quiet >ingest.out 2>&1
"$lemnos" mine --kb c.kb --quiet >mine.out
for length in "" --verbose; do
	# shellcheck disable=SC2086
	"$lemnos" recommend $length --kb c.kb --deadline 1h --quiet --problem m=400 --set nodes=1 |
		grep -E '^(CUT|next)'
done
"$lemnos" recommend --kb c.kb --deadline 1h --quiet --problem m=400 --set nodes=2 | grep -c CUT
echo "--- of three runs of each configuration one failed: the next may, too, and the answer says which confidence it has"
awk 'BEGIN {
	print "m,tile,nodes,time,status"
	for (m = 100; m <= 400; m *= 2)
		for (nodes = 1; nodes <= 8; nodes *= 2)
			for (tile = 8; tile <= 16; tile *= 2)
				for (r = 1; r <= 3; r++) {
					bad = (i++ + r) % 3 == 0
					time = m * m / 1000 / nodes * (1 + r / 100) * (1 + tile / 100)
					print m "," tile "," nodes "," (bad ? "" : time) "," (bad ? "failed" : "ok")
				}
}' >flaky.csv
"$lemnos" ingest flaky.csv --kb f.kb --app flaky --machine there --target time --problem m --tunable tile \
	--resource nodes=nodes --quiet >ingest.out
"$lemnos" mine --kb f.kb --quiet >mine.out
for confidence in 0.9 0.6; do
	"$lemnos" recommend --kb f.kb --problem m=200 --deadline 1h --confidence $confidence --quiet >answer
	echo "exit status $?"
	grep -E '^(Submit|No|Failed by chance|next)' answer
done
echo "--- of single runs one in six failed, with others that ended all around; and where tiles did not divide what a node has"
for why in chance tile; do
	awk -v why=$why 'BEGIN {
		print "m,tile,nodes,time,status"
		for (m = 960; m <= 7680; m *= 2)
			for (nodes = 1; nodes <= 8; nodes *= 2)
				for (tile = 32; tile <= 96; tile += 16) {
					bad = why == "chance" ? i++ * 7 % 12 < 2 : m / nodes % tile
					time = m * m / 10000 / nodes * (1 + i * i % 5 / 100) * (1 + tile / 1000)
					print m "," tile "," nodes "," (bad ? "" : time) "," (bad ? "failed" : "ok")
				}
	}' >$why.csv
	"$lemnos" ingest $why.csv --kb $why.kb --app $why --machine there --target time --problem m --tunable tile \
		--resource nodes=nodes --quiet >ingest.out
	"$lemnos" mine --kb $why.kb --quiet >mine.out
	"$lemnos" recommend --kb $why.kb --problem m=2880 --deadline 1h --quiet >answer
	echo "exit status $?"
	grep -E '^(Submit|No|Failed by chance|next)' answer
	"$lemnos" rules --kb $why.kb --kind invariant --quiet | grep always
done
echo "--- what ran out of memory with one tile and one solver does so with others, as nothing as demanding ended"
cat >memory.csv <<'CSV'
n,tile,solver,nodes,time,status
1000,8,cg,1,100,ok
1000,16,lu,1,80,ok
2000,8,lu,1,420,ok
2000,16,cg,2,350,ok
4000,8,cg,8,520,ok
4000,16,lu,8,300,ok
2000,16,lu,4,150,ok
1000,8,cg,2,52,ok
4000,8,cg,2,,failed
CSV
"$lemnos" ingest memory.csv --kb m.kb --app memory --machine there --target time --problem n --tunable tile,solver \
	--categorical solver --resource nodes=nodes --quiet >ingest.out
"$lemnos" mine --kb m.kb --quiet >mine.out
for nodes in 1 2 8; do
	"$lemnos" recommend --kb m.kb --problem n=4000 --set tile=16,solver=lu,nodes=$nodes --deadline 1h --quiet | head -n 1
done
