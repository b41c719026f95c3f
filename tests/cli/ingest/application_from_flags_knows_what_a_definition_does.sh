cat >grid.csv <<'CSV'
n,P,Q,tile,layout,nodes,gpus,time
1000,2,2,8,row,1,2,40
1000,2,2,16,row,1,2,36
1000,2,4,8,col,2,4,22
1000,2,4,16,row,2,4,19
1000,4,4,8,row,4,8,12
1000,4,4,16,col,4,8,10.5
1000,4,4,32,row,4,8,10
2000,4,4,32,row,4,8,38
2000,4,2,32,row,2,4,70
1000,4,2,12,row,2,4,20
1000,3,2,12,row,2,4,20
CSV
flags='--kb a.kb --app lu --machine box --target time --problem n --tunable tile,layout --grid P,Q
	--resource nodes=nodes,gpus=gpus --candidates tile=8..64*2'
# a row that does not meet the constraint is refused, as with a definition
"$lemnos" ingest grid.csv $flags --constraint 'n % P = 0' --constraint 'tile in (8, 12, 16, 32, 64)' \
	--cores-per-node 4 --memory-per-node 192GiB
"$lemnos" apps show lu --kb a.kb
"$lemnos" machines show box --kb a.kb --format json | grep per_node
"$lemnos" mine --kb a.kb --app lu --quiet >/dev/null
# no run had tiles of 64; 8, 16, 32 and 64 are what may be proposed
"$recommend" --kb a.kb --app lu --problem 4000 --deadline 10m --set tile=64 | sed -n 1p
"$recommend" --kb a.kb --app lu --problem 4000 --deadline 10m --grid 3x2
# what does not fit
"$lemnos" ingest grid.csv $flags --candidates tile=8..256 --constraint 'n %'
"$lemnos" ingest grid.csv $flags --candidates tile=256..8
"$lemnos" ingest grid.csv $flags --candidates tile=1..5000
"$lemnos" ingest grid.csv $flags --candidates n=1..9
"$lemnos" ingest grid.csv $flags --resource nodes=nodes,gpus=procs
"$lemnos" ingest grid.csv --kb a.kb --app lu --cores-per-node 8
"$lemnos" ingest grid.csv --kb a.kb --app lu --grid P,Q
"$lemnos" ingest grid.csv --kb a.kb --app lu --memory-per-node much
