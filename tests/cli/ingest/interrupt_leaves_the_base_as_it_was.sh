cp "$loaded" a.kb
"$lemnos" runs export --kb a.kb >before.csv
rows() { awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++)
	printf "50,50,50,2,2,4,10,3,%.6f,%d\n", 3 + i / 1e6, i }'; }
mkfifo runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine sp2like 2>err &
pid=$!
exec 3>runs.csv
echo it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s,repeat >&3
rows 20000 >&3
kill -TERM $pid
rows 50000 2>/dev/null >&3
exec 3>&-
wait $pid
echo "exit status $?"
cut -d : -f 1,2 err
"$lemnos" runs export --kb a.kb | cmp - before.csv
