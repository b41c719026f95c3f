cat >mine.conf <<'CONF'
application = {
  name = "mine";
  problem = ( { name = "n"; min = 1; } );
  resources = ( { name = "nodes"; min = 1; }, { name = "ppn"; min = 1; } );
  derived = ( { name = "procs"; expr = "nodes * ppn"; } );
  target = { name = "time"; unit = "s"; };
  compute = [ "n * n * n / procs", "n * n" ];
  communication = [ "log2(procs)", "procs" ];
};
CONF
# 2e-9 n^3 / procs + 4e-3 log2(procs), and a few per cent that have no cause
awk 'BEGIN {
	print "n,nodes,ppn,time"
	for (nodes = 1; nodes <= 8; nodes *= 2)
		for (ppn = 1; ppn <= 16; ppn *= 4)
			for (n = 100; n <= 1600; n *= 2) {
				p = nodes * ppn
				k = (k * 37 + 11) % 101
				t = 2e-9 * n * n * n / p + 4e-3 * log(p) / log(2) + 1e-4
				print n "," nodes "," ppn "," t * (1 + (k - 50) / 2500)
			}
}' >runs.csv
"$lemnos" init --kb a.kb >/dev/null
"$lemnos" apps add mine.conf --kb a.kb
"$lemnos" ingest --app mine --machine m --kb a.kb --quiet runs.csv
"$lemnos" mine --kb a.kb --quiet >/dev/null
# 2e-9 1600^3 / 1024 + 4e-3 * 10 = 0.0480 s
"$lemnos" predict --app mine --problem 1600 --nodes 64 --set ppn=16 --kb a.kb --format csv
"$lemnos" predict --app mine --problem 1600 --nodes 4 --set ppn=16 --kb a.kb
"$lemnos" evaluate --app mine --predictors gaussian-process --train 'nodes <= 2' --kb a.kb
# what is stored is of other terms by now
sed 's/, "procs" ]/, "procs * n" ]/' mine.conf >other.conf
"$lemnos" apps add other.conf --kb a.kb
"$lemnos" predict --app mine --problem 1600 --nodes 64 --set ppn=16 --kb a.kb --format csv
