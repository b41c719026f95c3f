# Nobody says how many cores a node of `there` has; a run put 16 processes on one.
cat >stencil.conf <<'CONF'
application = {
  name = "stencil";
  problem = ( { name = "n"; min = 1; } );
  resources = ( { name = "nodes"; min = 1; },
                { name = "procs"; min = 1; candidates = "list"; list = [ 1, 4, 16, 32, 64 ]; } );
  target = { name = "time"; unit = "s"; };
};
CONF
cat >a.csv <<'CSV'
n,procs,nodes,time
100,1,1,100
100,4,1,25
100,16,1,6.4
100,32,2,3.4
100,64,4,1.8
200,1,1,800
200,4,1,201
200,16,1,51
200,32,2,26
200,64,4,13.5
CSV
"$lemnos" init --kb a.kb --quiet >init.out
"$lemnos" apps add stencil.conf --kb a.kb >add.out
"$lemnos" ingest a.csv --kb a.kb --app stencil --machine there --quiet >ingest.out
"$lemnos" mine --kb a.kb --quiet >mine.out
"$lemnos" recommend --verbose --kb a.kb --problem n=150 --objective time --quiet |
	grep -E '^(Submit|chosen|cores)'
"$lemnos" recommend --verbose --kb a.kb --problem n=150 --objective time --set nodes=1 --quiet |
	grep -E '^(Submit|chosen|cores)'
"$lemnos" predict --kb a.kb --problem n=150 --set procs=40 --quiet | sed -n '1s/.* on //p'
echo "--- without nodes there are no node-hours"
cut -d , -f 1,2,4 a.csv >b.csv
"$lemnos" ingest b.csv --kb b.kb --app plain --machine there --target time --problem n \
	--resource procs=procs --quiet >ingest.out
"$lemnos" mine --kb b.kb --quiet >mine.out
"$lemnos" recommend --verbose --kb b.kb --problem n=200 --objective time --quiet |
	sed -n 's/.*\(, [^,]* [a-z]*-hours\)$/time\1/p; s/\(why .*\)/\1/p; /^cores/p; /^nodes:/p'
"$lemnos" recommend --kb b.kb --problem n=200 --deadline 1m --max-nodes 2 --quiet 2>&1
echo "--- GPUs are named, and are no nodes"
cut -d , -f 1,2,4 a.csv | sed 's/procs/gpus/' >g.csv
"$lemnos" ingest g.csv --kb g.kb --app plain --machine there --target time --problem n \
	--resource gpus=gpus --quiet >ingest.out
"$lemnos" mine --kb g.kb --quiet >mine.out
gpus() {
	"$lemnos" recommend --kb g.kb --problem n=200 --quiet "$@" 2>&1 |
		grep -Ei '[a-z]*-hour|GPUs|limit'
}
gpus --deadline 60s --frontier
gpus --deadline 60s --budget 0.1nh
gpus --deadline 60s --objective nodes --next 1
gpus --deadline 60s --max-nodes 2
