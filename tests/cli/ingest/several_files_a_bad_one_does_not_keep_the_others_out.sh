cp "$loaded" a.kb
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,2,2,4,10,3,3.31\n' >good.csv
printf 'what,is,this\n1,2,3\n' >bad.csv
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,4,2,8,10,3,1.71\n' >also.csv
"$lemnos" ingest good.csv bad.csv also.csv --kb a.kb --app sweep3d --machine sp2like
echo "exit status $?"
"$lemnos" ingest good.csv missing.csv --kb a.kb --app sweep3d --machine sp2like
