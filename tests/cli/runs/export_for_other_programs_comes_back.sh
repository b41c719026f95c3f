# Extra-P fits what varies; words that differ are in its callpath; it has no word for what has no time
cat >runs.csv <<'END'
n,tile,layout,nodes,machine,state,time,repeat
100,8,row,1,a,ok,4.5,1
100,8,row,1,a,ok,4.75,2
100,8,"col ""major""",1,a,ok,5.5,1
100,16,row,2,b,ok,2.25,1
100,16,row,2,b,ok,2.125,3
100,16,row,4,b,timeout,60,1
100,32,row,4,b,failed,,1
END
"$lemnos" ingest runs.csv --kb a.kb --app lu --target time --problem n --tunable tile,layout --resource nodes=nodes >summary
"$lemnos" runs export --kb a.kb --format extrap >all.jsonl
cat all.jsonl
"$lemnos" runs export --kb a.kb --format t4 >all.json
cat all.json
# the same runs, here and in a base of its own
"$lemnos" runs export --kb a.kb --format csv | cut -d , -f 3-11 >all.csv
"$lemnos" apps show lu --definition --kb a.kb >lu.conf
for file in all.jsonl all.json; do
	"$lemnos" ingest $file --kb a.kb
	"$lemnos" init --kb $file.kb >summary
	"$lemnos" apps add lu.conf --kb $file.kb >summary
	"$lemnos" ingest $file --kb $file.kb >summary
	"$lemnos" runs export --app lu --kb $file.kb | cut -d , -f 3-11 | diff all.csv -
done
# one column of its own, no word that differs; none that somebody left out
"$lemnos" runs exclude 1 --kb a.kb --why 'a disk was full'
"$lemnos" runs export --kb a.kb --format extrap --where "machine = 'a'"
"$lemnos" runs export --kb a.kb --format t4 --where "machine = 'c'"
"$lemnos" runs --kb a.kb --format t4
