"$lemnos" ingest "$tree/tests/fixtures/formats/swf/log.swf" --kb a.kb --machine arch --app job \
	--target run_time --problem executable --resource procs=procs,nodes=nodes --rejects bad.csv
"$lemnos" runs --kb a.kb --app job --format csv | cut -d, -f4-9,15
cat bad.csv
# without a header only its 18 numbers tell; nodes are then not known
printf '1 0 10 100 16 95 1024 16 3600 -1 1 1 1 7 1 1 -1 -1\n2 0 10 ten 16 95 1024 16 3600 -1 1 1 1 7 1 1 -1 -1\n' >bare.swf
"$lemnos" ingest bare.swf --kb b.kb --machine arch --app job --target run_time --problem executable
printf '; MaxNodes: 4\n; MaxProcs: 30\n;\n' >none.swf
"$lemnos" ingest none.swf --kb b.kb --machine arch --app job
echo "exit status $?"
