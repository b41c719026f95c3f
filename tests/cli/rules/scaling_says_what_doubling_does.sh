# Times are formulas, written beside them; what the runs cannot tell is named.
load() { # NAME FLAG...
	kb=$1 csv=$1.csv
	shift
	"$lemnos" init --kb "$kb" --quiet >/dev/null
	"$lemnos" ingest "$csv" --kb "$kb" --app a --machine m --target time_s --quiet "$@" >/dev/null
	"$lemnos" mine --kb "$kb" --quiet >/dev/null
}
ask() { "$lemnos" rules scaling --kb "$@" 2>&1; echo "exit status $?"; }

echo '-- n^2 / procs up to 64 processes, from there on only 1.25 times faster each doubling'
awk 'BEGIN { print "n,procs,time_s"
	for (n = 100; n <= 800; n *= 2) for (p = 1; p <= 512; p *= 2) for (r = -1; r <= 1; r += 2)
		printf "%d,%d,%.5f\n", n, p, n ^ 2 / (p < 64 ? p : 64) * (1 + .005 * r) * (p > 64 ? .8 ^ (log(p / 64) / log(2)) : 1) }' >kink.csv
load kink --problem n --resource procs=procs
ask kink --app a | sed -E 's/\([0-9.]+-[0-9.]+\)/(LO-HI)/g'
ask kink --app a --format csv | awk -F, 'NR == 1 || $6 < $7 || $6 > $8 || $11 < $7 || $11 > $8'
ask kink --app a --machine m --format json | sed -n '1,7p;$p'

echo '-- weak scaling: 600 s and 2 % more each doubling of particles and nodes together'
awk 'BEGIN { print "particles,nodes,procs,steps,time_s"
	for (k = 0; k <= 9; k++) for (r = 0; r < 2; r++) { n = 2 ^ k
		printf "%d,%d,%d,100,%.4f\n", 1000000 * n, n, 112 * n,
			600 * (1 + .02 * k) * (1 + .01 * (r - .5)) } }' >weak.csv
load weak --problem particles,steps --resource nodes=nodes,procs=procs
ask weak --app a | sed -E 's/\([0-9.]+-[0-9.]+\)/(LO-HI)/g'

echo '-- blocks of 48 and 64 only: a factor of 4 / 3; words are not doubled'
awk 'BEGIN { print "n,layout,block,time_s"
	for (n = 100; n <= 800; n *= 2) for (b = 48; b <= 64; b += 16) for (l = 0; l < 2; l++)
		printf "%d,%s,%d,%.5f\n", n, l ? "rows" : "columns", b, n * (1 + l) * b }' >narrow.csv
load narrow --problem n --tunable block,layout --categorical layout
ask narrow --app a | sed -E 's/\([0-9.]+-[0-9.]+\)/(LO-HI)/g'

echo '-- a single run, no run, no such machine, formats that are none'
head -2 kink.csv >one.csv
load one --problem n --resource procs=procs 2>/dev/null
ask one --app a
"$lemnos" init --kb empty --quiet >/dev/null
ask empty
ask kink --app a --machine x
ask kink --app a --format sql
