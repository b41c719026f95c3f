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
