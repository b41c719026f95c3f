# Categories that no run has, processes of nodes and per node, and sizes that cannot be.
cp "$loaded" a.kb
{
	echo m,layout,nodes,ppn,time
	for nodes in 1 2 4 8; do
		for m in 100 200 300 400 500 600; do
			echo "$m,row,$nodes,4,$((m / nodes))"
			echo "$m,col,$nodes,2,$((2 * m / nodes))"
		done
	done
} >qr.csv
"$lemnos" ingest qr.csv --kb a.kb --app qr --machine cluster --target time --problem m --tunable layout \
	--categorical layout --resource nodes=nodes,ppn=ppn --quiet >/dev/null
"$lemnos" mine --kb a.kb --app qr --quiet >/dev/null
cat >in.csv <<'CSV'
m,layout,nodes,ppn
200,row,2,4
200,diagonal,2,4
200,col,two,4
1e300,col,2,4
200,col,2,0
CSV
"$lemnos" predict --kb a.kb --app qr --machine cluster --from in.csv | sed -E 's/[0-9]+\.[0-9]+/N/g'
# The application has columns and no flags.
"$lemnos" predict --kb a.kb --app qr --machine cluster --problem m=200 --nodes 2
"$lemnos" predict --kb a.kb --app qr --machine cluster --m 200
