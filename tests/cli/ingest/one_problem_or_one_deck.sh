# a fixed benchmark: no column says what is solved; layout holds words, and nobody says so
cat >one.csv <<'CSV'
nb,layout,nodes,ppn,time
32,row,1,4,120
64,row,1,4,95
32,col,2,4,70
64,col,2,4,55
32,row,4,4,35
64,row,4,4,28
64,col,4,4,29
64,row,8,4,16
CSV
"$lemnos" ingest one.csv --kb a.kb --machine box
"$lemnos" ingest one.csv --kb a.kb --app one --machine box --target time --tunable nb,layout \
	--resource nodes=nodes,ppn=ppn
"$lemnos" mine --kb a.kb --app one --quiet >/dev/null
"$recommend" --kb a.kb --app one --deadline 60s --format json | grep -A1 '"problem"'
"$lemnos" predict --kb a.kb --app one --set nb=64,layout=row,nodes=2,ppn=4 | sed -n 4,5p
"$lemnos" predict --kb a.kb --app one --problem 100 --set nb=64,layout=row,nodes=2,ppn=4
# more runs of it, among them a layout that is a number: what words were, words are
printf 'nb,layout,nodes,ppn,time\n64,2,8,4,15\n' >more.csv
"$lemnos" ingest more.csv --kb a.kb --app one --machine box --target time --tunable nb,layout \
	--resource nodes=nodes,ppn=ppn
# a single text says it all
sed '1s/layout/deck/; s/row/benchA.inp/; s/col/benchB.inp/' one.csv >deck.csv
"$lemnos" ingest deck.csv --kb a.kb --app deck --machine box --target time --tunable nb \
	--problem deck --resource nodes=nodes,ppn=ppn
"$lemnos" mine --kb a.kb --app deck --quiet >/dev/null
"$lemnos" predict --kb a.kb --app deck --problem benchB.inp --set nb=64,nodes=2,ppn=4 | sed -n 4,5p
"$lemnos" predict --kb a.kb --app deck --problem benchC.inp --set nb=64,nodes=2,ppn=4
"$lemnos" predict --kb a.kb --app deck --set nb=64,nodes=2,ppn=4
# one word among numbers is a slip, not a category
printf 'n,nb,time\n10,1,1\n10,two,1.1\n20,2,2\n30,3,3\n' >slip.csv
"$lemnos" ingest slip.csv --kb a.kb --app slip --machine box --target time --problem n --tunable nb
