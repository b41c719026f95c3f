# Data of the kinds that people have, of which some questions cannot be answered: problem and nodes
# that always grew together, five runs in which all did, a column that never varied, cubes only.
# The time in each case is a formula, written beside it.
predict() {
	kb=$1
	shift
	echo "$kb: $*"
	set -- $(printf -- '--set %s ' "$@")
	"$lemnos" predict --kb "$kb" --app a "$@" | grep -v -e "^m:" -e "^a:" -e "^predictor:" -e "^learned" -e "^\$"
}
load() { # NAME FLAG...
	csv=$1.csv kb=$1
	shift
	"$lemnos" init --kb "$kb" --quiet >/dev/null
	"$lemnos" ingest "$csv" --kb "$kb" --app a --machine m --target time_s "$@" --quiet >/dev/null
	"$lemnos" mine --kb "$kb" --quiet >/dev/null
}

# weak scaling: 600 s and 2 % more each doubling; what 2048 nodes' problem takes on one is not told
awk 'BEGIN { print "particles,nodes,procs,time_s"
	for (k = 0; k <= 11; k++) for (r = 0; r < 2; r++) { n = 2 ^ k
		printf "%d,%d,%d,%.4f\n", 1000000 * n, n, 112 * n,
			600 * (1 + .02 * k) * (1 + .01 * (r - .5) + .004 * (k * 7 % 5 - 2)) } }' >weak.csv
load weak --problem particles --resource nodes=nodes,procs=procs
predict weak particles=2048000000 nodes=1 procs=112
predict weak particles=2048000000 nodes=2048 procs=229376
"$lemnos" recommend --kb weak --app a --set particles=2048000000 --deadline 15m | sed -n 1p

# five collinear runs: 10 (n / 1000)^1.25 s, on the line 94 s for n = 6000
awk 'BEGIN { print "n,procs,nodes,block,time_s"
	for (k = 0; k < 5; k++) { n = 2 ^ k
		printf "%d,%d,%d,%d,%.4f\n", 1000 * n, 16 * n, n, 8 * n,
			10 * n ^ 1.25 * (1 + .003 * (k * 3 % 5 - 2)) } }' >line.csv
load line --problem n --tunable block --resource nodes=nodes,procs=procs
predict line n=6000 procs=96 nodes=6 block=48
predict line n=16000 procs=64 nodes=4 block=32

# nx, ny and ppn never varied: 5 ng^0.9 nodes^-0.8 s
awk 'BEGIN { print "nx,ny,ng,nodes,ppn,time_s"
	for (g = 1; g <= 16; g *= 2) for (n = 1; n <= 8; n *= 2) for (r = 0; r < 2; r++)
		printf "32,32,%d,%d,16,%.4f\n", g, n,
			5 * g ^ .9 * n ^ -.8 * (1 + .01 * ((g * 3 + n * 5 + r) % 5 - 2)) }' >constant.csv
load constant --problem nx,ny,ng --resource nodes=nodes,ppn=ppn
predict constant nx=64 ny=64 ng=8 nodes=4 ppn=16
predict constant nx=32 ny=32 ng=8 nodes=4
predict constant nx=32 ny=32 ng=8 nodes=4 ppn=32

# cubes only, and 1 or 12 iterations: 1e-5 iterations z^3 nodes^-0.9 s
awk 'BEGIN { print "zx,zy,zz,iterations,nodes,time_s"
	for (z = 16; z <= 128; z *= 2) for (n = 1; n <= 8; n *= 2) for (i = 1; i <= 12; i += 11)
		printf "%d,%d,%d,%d,%d,%.4f\n", z, z, z, i, n,
			1e-5 * i * z ^ 3 * n ^ -.9 * (1 + .01 * ((z * 3 + n * 5 + i) % 5 - 2)) }' >cube.csv
load cube --problem zx,zy,zz,iterations --resource nodes=nodes
predict cube zx=64 zy=64 zz=64 iterations=12 nodes=4
predict cube zx=128 zy=64 zz=32 iterations=12 nodes=4
predict cube zx=64 zy=64 zz=64 iterations=1000000 nodes=4

# levels of refinement, each four times the cells: level 4 tells that time goes by steps of level, and not by powers of it
refined() { # LEVELS
	awk -v levels="$1" 'BEGIN { print "level,n,nodes,time_s"
		for (l = 1; l <= levels; l++) for (n = 100; n <= 400; n *= 2) for (k = 1; k <= 8; k *= 2)
			printf "%d,%d,%d,%.4f\n", l, n, k,
				4 ^ (l - 1) * (n / 100) ^ 2 * k ^ -.9 * (1 + .01 * ((l * 3 + n / 100 * 5 + k) % 5 - 2)) }'
}
refined 4 >levels.csv
load levels --problem level,n --resource nodes=nodes
predict levels level=5 n=200 nodes=4

# of two levels nothing tells which law it is: 10.3 s by a power, 18.4 s by steps
refined 2 >two.csv
load two --problem level,n --resource nodes=nodes
predict two level=3 n=200 nodes=4
