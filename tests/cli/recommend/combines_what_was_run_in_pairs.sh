# Tile 4 and layout b, the best of each, met on 1 node only; nodes are 1, 2, 4 and 16.
cat >a.csv <<'CSV'
n,tile,layout,nodes,time,status
100,2,a,1,60,ok
100,2,b,1,30,ok
100,4,a,1,40,ok
100,4,b,1,20,ok
100,2,a,2,31,ok
100,2,b,2,16,ok
100,4,a,2,21,ok
100,2,a,4,16,ok
100,2,b,4,8.5,ok
100,4,a,4,11,ok
100,2,a,16,5,ok
100,2,b,16,2.8,ok
100,4,a,16,3.5,ok
200,2,a,1,121,ok
200,2,b,1,61,ok
200,4,a,2,42,ok
200,2,b,4,17,ok
200,8,b,4,1,failed
CSV
"$lemnos" ingest a.csv --kb kb --app toy --machine there --target time --problem n \
	--tunable tile,layout --categorical layout --resource nodes=nodes --quiet >out
"$lemnos" mine --kb kb --quiet >out
ask() {
	echo "--- $*"
	"$lemnos" recommend --verbose --kb kb --quiet "$@" >answer 2>&1
	grep -E '^(Submit|lemnos|No[: ]|best effort|support|not run|chosen from|left out|cores)' answer
}
all() {
	"$lemnos" recommend --verbose --kb kb --quiet --objective time "$@" --format json |
		sed -n '/"candidates"/,/}/p' | tr -d ' \n'
	echo
}
ask --problem n=100 --objective time
all --problem n=100
echo "--- further node counts: 3, 6, 8, 12 between; 24, 32 and 48 beyond, as far as is asked for"
all --problem n=100 --max-nodes 4
all --problem n=100 --max-nodes 16
all --problem n=100 --max-nodes 50
ask --problem n=100 --deadline 11s --max-nodes 8
ask --problem n=100 --deadline 7s --max-nodes 8
ask --problem n=100 --deadline 1s --max-nodes 50
ask --problem n=100 --objective time --set nodes=3
ask --problem n=100 --objective time --set nodes=3,tile=4
echo "--- nobody has seen tile 8 end: it goes with everything, but for what failed and is at risk"
ask --problem n=200 --objective time --set tile=8
