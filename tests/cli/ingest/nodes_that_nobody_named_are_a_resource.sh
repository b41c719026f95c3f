# A table with nodes and ppn, and flags that say nothing of them: were they passed over, runs on one node
# and on eight would be repeats, and the answer a time that holds for neither.
awk 'BEGIN {
	print "size,nodes,ppn,tile,Threads,seconds"
	for (size = 1000; size <= 4000; size *= 2)
		for (nodes = 1; nodes <= 8; nodes *= 2)
			for (tile = 16; tile <= 64; tile *= 2)
				printf "%d,%d,16,%d,2,%.3f\n", size, nodes, tile, size * size * (1 + tile / 640) / nodes / 1e4
}' >runs.csv
"$lemnos" ingest runs.csv --app mesh --machine helga --problem size --tunable tile --target seconds --kb a.kb 2>/dev/null
"$lemnos" apps show mesh --kb a.kb | grep -E 'nodes|ppn|threads'
echo "--- more of the same; and where a flag says what they are"
sed '2,$s/$/1/' runs.csv >more.csv
"$lemnos" ingest more.csv --app mesh --machine helga --kb a.kb
"$lemnos" ingest runs.csv --app lines --machine helga --problem size --tunable tile --target seconds \
	--map nodes=extra --dry-run --kb a.kb 2>&1 | head -n 4
echo "--- names of nodes are none"
sed '2,$s/,\([0-9]*\),16,/,n0\1,16,/' runs.csv >names.csv
"$lemnos" ingest names.csv --app named --machine helga --problem size --tunable tile --target seconds --kb a.kb
echo "--- by the other words that imports know; tasks may be something else"
sed '1s/nodes/AllocNodes/; 1s/ppn/n_gpus/; 1s/Threads/tasks/' runs.csv >words.csv
"$lemnos" ingest words.csv --app words --machine helga --problem size --tunable tile --target seconds --kb a.kb
"$lemnos" apps show words --kb a.kb | grep -E 'nodes|gpus|procs'
echo "--- a run on processors alone has no GPU"
sed '1!s/,16,16,/,0,16,/' words.csv >none.csv
"$lemnos" ingest none.csv --app words --machine helga --kb a.kb | sed -n 1p
echo "--- kinds of nodes are a choice: passed over, their runs would be repeats"
awk 'BEGIN {
	print "size,nodes,queue,ht,host,seed,seconds"
	for (size = 1000; size <= 4000; size *= 2)
		for (nodes = 1; nodes <= 8; nodes *= 2)
			for (k = 0; k < 4; k++)
				printf "%d,%d,%s,%d,%s%d,%d,%.3f\n", size, nodes, k % 2 ? "old" : "new", 1 + int(k / 2), \
					k % 2 ? "a" : "b", nodes, (size / 1000 + nodes + k) % 3, size * size * (1 + 2 * (k % 2)) * (1 + int(k / 2) / 5) / nodes / 1e4
}' >kinds.csv
for machine in queues two; do # the second import finds the application as it was
	"$lemnos" ingest kinds.csv --app queues --machine $machine --problem size --target seconds --kb a.kb
done
"$lemnos" apps show queues --kb a.kb | grep queue
"$lemnos" ingest kinds.csv --app plain --machine helga --problem size --target seconds --map queue=extra --kb a.kb
sed '1s/queue/cluster/' kinds.csv >clusters.csv
"$lemnos" ingest clusters.csv --app clusters --machine helga --problem size --target seconds --map ht=extra,host=drop --kb a.kb
"$lemnos" mine --kb a.kb --app plain | grep -A1 'differ'
echo "--- no configuration was run with both: the name tells"
awk -F, 'NR == 1 || ($3 == "old") == ($2 > 2)' kinds.csv >apart.csv
"$lemnos" ingest apart.csv --app apart --machine helga --problem size --target seconds --map ht=extra,host=drop --kb a.kb

echo "--- caches that are cold or warm, which no submission can ask for; one word written in two ways"
awk 'BEGIN {
	print "mpi,disk,n,nodes,time"
	for (i = 0; i < 48; i++) {
		n = 200 * 2 ^ (int(i / 2) % 3); nodes = 2 ^ (int(i / 6) % 3)
		printf "%s,%s,%d,%d,%.4g\n", (i % 12 < 6 ? "UCX" : i % 24 < 12 ? "open mpi" : "ucx"),
			(i % 2 ? "warm" : "cold"), n, nodes, n * n / 10000 / nodes * (i % 2 ? 1 : 1.4) * (1 + i % 5 / 100)
	}
}' >cold.csv
"$lemnos" ingest cold.csv --kb cold 2>&1 | grep -A1 -e "--problem n"
"$lemnos" ingest cold.csv --kb cold --app toy --machine there --target time --problem n --tunable mpi 2>&1 |
	grep -e disk -e ucx
"$lemnos" mine --kb cold --quiet
"$lemnos" recommend --kb cold --quiet --problem n=800 --deadline 20s | head -2
