cp "$loaded" a.kb
cat >runs.csv <<'CSV'
it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s
50,50,50,2,2,4,10,3,3.25
50,50,50,2,2,4,10,4,3.31
50,fifty,50,2,2,4,10,3,3.25
50,50,50,2,2,4,10,3,-2
50,50,50,2,2,4,10,3,9.9e-10
50,50,51,2,2,4,10,3,1e-9
50,50,50,2,2,4,10,3,"1,234.5"
CSV
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine sp2like --rejects bad.csv
echo "exit status $?"
cat bad.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine iblike --strict
echo "exit status $?"
# what cannot be written
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,2,2,4,10,3,7.31\n50,50,50,2,2,4,10,3,soon\n' >some.csv
"$lemnos" ingest some.csv --kb a.kb --app sweep3d --machine tiny
"$lemnos" ingest some.csv --kb a.kb --app sweep3d --machine tiny --rejects r.csv
"$lemnos" ingest some.csv --kb a.kb --app sweep3d --machine tiny --rejects -
# into a pipe; into the file that standard output goes to, of which nothing is lost
"$lemnos" imports undo 8 --kb a.kb >/dev/null
"$lemnos" ingest some.csv --kb a.kb --app sweep3d --machine tiny --quiet --rejects /dev/stdout | cat
"$lemnos" imports undo 9 --kb a.kb >/dev/null
(echo before; "$lemnos" ingest some.csv --kb a.kb --app sweep3d --machine tiny --quiet --rejects /dev/stdout; echo after) >out
cat out
