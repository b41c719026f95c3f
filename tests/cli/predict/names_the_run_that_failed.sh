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
CSV
"$lemnos" ingest a.csv --kb a.kb --app toy --machine there --target time --problem m \
	--tunable tile --resource nodes=nodes,ppn=ppn --quiet >ingest.out
"$lemnos" mine --kb a.kb --quiet >mine.out
for set in tile=8,nodes=1,ppn=2 tile=8,nodes=1,ppn=1 tile=16,nodes=1,ppn=2; do
	for m in 190 200 210; do
		echo "--- m $m, $set"
		"$lemnos" predict --kb a.kb --problem m=$m --set $set | grep -E '^(FAILED|AT RISK)'
	done
done
"$lemnos" predict --kb a.kb --problem m=200 --set tile=8,nodes=1,ppn=2 --format json |
	grep -A 3 '"warning"'
