cp "$loaded" a.kb
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,2,2,4,10,3,7.31\n50,50,50,2,2,4,10,3,soon\n' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine tiny
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine tiny --rejects r.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine tiny --rejects -
