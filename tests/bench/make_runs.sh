#!/bin/sh
# Print a CSV of plausible runs of Sweep3D: 14 columns, the same rows for the same number anywhere.
# usage: make_runs.sh ROWS
set -eu
# The generator is that of Park and Miller (CACM 31(10), 1988): each awk has another rand().
awk -v n="$1" '
function uniform() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
BEGIN {
	seed = 7
	print "app,machine,source,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s,repeat"
	split("1 5 10 25 50", mk, " "); split("1 2 3 6", mmi, " ")
	for (i = 1; i <= n; i++) {
		c = 50 * (1 + int(6 * uniform())); p = 2 ^ (1 + int(4 * uniform())); q = 2 ^ int(4 * uniform())
		k = mk[1 + int(5 * uniform())]; m = mmi[1 + int(4 * uniform())]
		printf "sweep3d,big,simulated,%d,%d,%d,%d,%d,%d,%d,%d,12,%.6f,%d\n", c, c, c, p, q, p * q,
			k, m, c * c * c / (p * q) * 1e-6 * (1 + 0.1 * uniform()) * (1 + 1 / k), 1 + int(3 * uniform())
	}
}'
