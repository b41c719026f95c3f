cp "$loaded" a.kb
cat >runs.csv <<'CSV'
it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s
50,50,50,2,2,4,10,3,3.25
50,50,50,2,2,4,10,4,3.31
CSV
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine sp2like --format json
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine iblike --format csv
