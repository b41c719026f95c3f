"$lemnos" init --kb a.kb >/dev/null
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,2,2,4,10,3,7.31\n' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine tiny --quiet >/dev/null
"$lemnos" status --kb a.kb | tail -3
"$lemnos" recommend --kb a.kb --problem 50x50x50 --deadline 1h
