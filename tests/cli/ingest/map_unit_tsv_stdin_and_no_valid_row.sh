cp "$loaded" a.kb
printf 'gx\tny\tnz\tpx\tpy\tnnodes\tmk\tmmi\tt\n48\t50\t50\t2\t2\t4\t10\t3\t3310\n' |
	"$lemnos" ingest - --kb a.kb --app sweep3d --machine sp2like --map gx=it_g,t=runtime_s --unit t=ms
"$lemnos" runs --kb a.kb --where "it_g = 48" --format csv | cut -d , -f 3-17
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,2,2,4,10,4,3.31\n' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine sp2like
