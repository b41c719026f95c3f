cat >qr.csv <<'CSV'
m,n,mb,nb,layout,nodes,ppn,time,other
1000,500,32,32,row,1,4,120,9
1000,500,64,32,col,1,4,95,8
2000,500,64,32,col,2,4,130,8
CSV
"$lemnos" ingest qr.csv --kb a.kb --app qr --machine cluster --target time --problem m,n \
	--tunable mb,nb,layout --categorical layout --resource nodes=nodes,ppn=ppn --unit time=ms
"$lemnos" runs --kb a.kb --app qr
"$lemnos" apps show qr --kb a.kb
printf 'm,n,mb,nb,layout,nodes,ppn,time\n4000,500,64,32,col,4,4,150\n' >more.csv
"$lemnos" ingest more.csv --kb a.kb --app qr --machine cluster
# the target's header may name its unit
printf 'm,nb,time_ms\n10,1,1500\n' >ms.csv
"$lemnos" ingest ms.csv --kb a.kb --app ms --machine cluster --target time_ms --problem m --tunable nb --quiet
"$lemnos" runs --kb a.kb --app ms --format csv | grep -o ',1\.5,'
printf 'm,nb,t_min\n10,1,2\n' >min.csv
"$lemnos" ingest min.csv --kb a.kb --app min --machine cluster --target t_min --problem m
"$lemnos" ingest min.csv --kb a.kb --app min --machine cluster --target t_min --problem m --unit t_min=min --quiet
"$lemnos" runs --kb a.kb --app min --format csv | grep -o ',120,'
"$lemnos" runs --kb a.kb
