# With few runs held out no time is so long that none of a thousand runs takes longer.
cat >a.csv <<'CSV'
m,tile,nodes,ppn,time
100,8,1,1,10
100,16,1,1,12
100,8,1,2,5.2
100,16,1,2,6.1
200,8,1,1,40
200,16,1,1,47
200,8,1,2,21
200,16,1,2,25
300,8,1,1,90
300,16,1,1,107
300,8,1,2,47
300,16,1,2,55
CSV
"$lemnos" ingest a.csv --kb a.kb --app toy --machine there --target time --problem m \
	--tunable tile --resource nodes=nodes,ppn=ppn --quiet >ingest.out
"$lemnos" mine --kb a.kb --quiet >mine.out
for risk in 0.5 0.001; do
	"$lemnos" recommend --kb a.kb --problem m=200 --deadline 1m --emit slurm --risk $risk --quiet |
		sed -n 's/than .* with probability 0\.0[0-9]*/than TIME with probability P/
			s/than .* with/than TIME with/
			/^# limit/,/^# and/p'
done
