cp "$loaded" a.kb
e30=éééééééééééééééééééééééééééééé # 60 bytes; one more before them, and the cut is inside a letter
printf 'machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s,source,"what\nfor",a%s\n' "$e30" >in.csv
printf 'mine,50,50,50,2,2,4,10,3,3.31,measured,test,1\n' >>in.csv
printf 'yours,50,50,50,2,2,4,10,3,9.31,measured,test,1\n' >>in.csv
"$lemnos" ingest in.csv --kb a.kb --app sweep3d --machine ours --source simulated
"$lemnos" runs --kb a.kb --machine ours --format csv | cut -d , -f 3,4
