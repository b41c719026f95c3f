# A command takes no more memory than it may, and says what would help.
# Under a sanitizer, whose own memory would count, no limit is kept.
awk 'BEGIN { print "m,n,nb,nodes,time_s"
	for (i = 1; i <= 150000; i++) printf "%d,%d,%d,%d,%.6f\n", i % 997, i % 991, i % 64, 1 + i % 16, 1 + i % 8191 / 100 }' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app qr --machine m --target time_s --problem m,n --tunable nb --resource nodes=nodes --quiet
if "$lemnos" --version | grep -q sanitize; then
	echo "this build keeps no limit of memory" >&2
	exit 77
fi
"$lemnos" mine --kb a.kb --max-memory 32MiB --quiet 2>err
echo "exit status $?"
sed 's/^lemnos mine: .* of memory[^;]*;/lemnos mine: ... out of memory;/' err >&2
"$lemnos" runs list --kb a.kb --format csv 2>/dev/null | head -1 | cut -c1-20
"$lemnos" mine --kb a.kb --max-memory 1kB
echo "exit status $?"
"$lemnos" mine --kb a.kb --max-memory much
echo "exit status $?"
