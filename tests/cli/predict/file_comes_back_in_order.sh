cp "$mined" a.kb
cat >in.csv <<'CSV'
# candidates
"nx",ny,nz,px,py,mk,mmi,note,runtime_s
150,150,150,4,4,10,3,"a, b",99
 150,150,150,8,2,10,3,c,
150,150,150,1,1,150,6,"say ""d""",1
CSV
rounded() { sed -E 's/[0-9]+\.[0-9]+/N/g'; }
"$lemnos" predict --kb a.kb --from in.csv | rounded
"$lemnos" predict --kb a.kb --from - --format json <in.csv | rounded | sed -n 1,20p
"$lemnos" predict --kb a.kb --from in.csv --format csv | cmp - - <in.csv >/dev/null
# one row is as good as a single configuration
"$lemnos" predict --kb a.kb --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 --format csv |
	sed -n 2p | cut -d , -f 14-17 >single
"$lemnos" predict --kb a.kb --from in.csv | sed -n 2p | grep -cFf single
tr , '\t' <in.csv | sed 's/"a\tb"/ab/' | grep -v '#' >in.tsv
"$lemnos" predict --kb a.kb --from in.tsv | rounded | sed -n 1,2p
"$lemnos" predict --kb a.kb --from in.csv --mk 10
"$lemnos" predict --kb a.kb --from nowhere.csv
