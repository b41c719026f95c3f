cp "$mined" a.kb
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,2,2,4,10,3,7.31\n' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine sp2like --quiet >/dev/null
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h | grep stale
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h --format json | grep stale
"$lemnos" predict --kb a.kb --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 | grep stale
"$lemnos" mine --verbose --kb a.kb | sed -n 1,4p
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h --format json | grep stale
