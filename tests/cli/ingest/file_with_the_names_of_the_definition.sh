cat >runs.csv <<'CSV'
app,machine,source,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,repeat
sweep3d,cluster,measured,50,50,50,2,2,4,10,3,12,3.25,1
sweep3d,cluster,measured,50,50,50,2,2,4,10,3,12,3.31,2
sweep3d,cluster,measured,50,50,50,2,4,8,5,3,12,1.875,1
CSV
"$lemnos" ingest runs.csv --kb a.kb
"$lemnos" runs --kb a.kb
"$lemnos" ingest runs.csv --kb a.kb
"$lemnos" status --kb a.kb | sed -n 1,2p | tail -1
