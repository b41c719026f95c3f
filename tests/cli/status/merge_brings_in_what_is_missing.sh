"$lemnos" init --kb a.kb >/dev/null
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,2,2,4,10,3,3.31\n' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine mine >/dev/null
cp "$loaded" b.kb
"$lemnos" status merge b.kb --kb a.kb
"$lemnos" status merge b.kb --kb a.kb
"$lemnos" machines --kb a.kb --format csv | cut -d , -f 1,2
"$lemnos" status merge nowhere.kb --kb a.kb
