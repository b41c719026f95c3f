cp "$loaded" a.kb
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,2,2,4,10,3,3.31\n' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine oops >/dev/null
id=$("$lemnos" imports --kb a.kb --format csv | sed -n 's/,runs.csv.*//p')
"$lemnos" imports undo "$id" --kb a.kb
"$lemnos" imports --kb a.kb --format csv | grep runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine sp2like
"$lemnos" imports undo "$id" --kb a.kb
echo "--- undo of several is all or nothing"
cp "$loaded" a.kb
"$lemnos" imports undo 1 99 --kb a.kb
code=$?
"$lemnos" imports undo 2 2 --kb a.kb
"$lemnos" imports --kb a.kb --format csv | cut -d , -f 1,10
echo "--- of runs that are all gone nothing is answered, mined or not"
cp "$mined" b.kb
"$lemnos" imports undo 6 --kb b.kb
"$lemnos" predict --kb b.kb --machine sp2like --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 2>&1 | head -n 3
"$recommend" --kb b.kb --machine sp2like --problem 50x50x50 --deadline 1h
exit $code
