# Headers and fields without end, decompression bombs, numbers that no column holds: said with line
# and column, in 200 MB of memory, however large they are.
cp "$loaded" a.kb
header=it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s
bounded() { # a sanitizer's shadow memory has no bounds
	(
		"$lemnos" --version | grep -q sanitize || ulimit -v 200000
		timeout 1200 "$lemnos" "$@" --app sweep3d --machine sp2like --kb a.kb 2>&1 | grep -v note:
	)
}
flood() { # BYTES CHARACTER
	head -c "$1" /dev/zero | tr '\0' "$2"
}
echo "--- a header of nothing but columns"
{ flood 17000000 ,; echo; } | bounded ingest -
{ seq -s, 1 20000; } | bounded ingest -
echo "--- a field without end, plain and quoted"
{ echo $header; flood 17000000 x; } | bounded ingest -
{ echo $header; printf '"'; flood 17000000 '\n'; } | bounded ingest -
echo "--- bombs"
flood 80000000 '\n' | gzip -1 >bomb.csv.gz
flood 80000000 '\n' | zstd -q >bomb.csv.zst
bounded ingest bomb.csv.gz
bounded ingest bomb.csv.zst
bounded predict --from bomb.csv.zst
echo "--- a window that would take the memory"
flood 80000000 'a' | zstd -q --long=31 >window.zst
bounded ingest window.zst
echo "--- numbers"
cat >numbers.csv <<'EOF'
it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s
10,10,10,1,2,1,5,3,nan
10,10,10,1,2,1,5,3,inf
10,10,10,1,2,1,5,3,1e400
10,10,99999999999,1,2,1,5,3,1
10,99999999999999999999,10,1,2,1,5,3,1
10,9007199254740993,10,1,2,1,5,3,1
1e999,10,10,1,2,1,5,3,1
EOF
bounded ingest numbers.csv --rejects rejects.csv
cat rejects.csv
for problem in 280x280x99999999999 280x280x99999999999999999999 280x280xnan 1.5e0x1x1 280x280x-1 infx1x1; do
	"$lemnos" recommend --problem $problem --deadline 1h --kb a.kb 2>&1
done
