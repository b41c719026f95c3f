# The runs of tune.sh (platform, size, way, function, tests, seconds) as a table of total times and of
# losses against the best implementation alone.
{
	at = $1 "," $2
	if (!(at in best)) {
		order[++n] = at
		best[at] = worst[at] = -1
	}
	if ($3 == "fixed") {
		if (best[at] < 0 || $6 < best[at]) {
			best[at] = $6
			name[at] = $4
		}
		if ($6 > worst[at]) {
			worst[at] = $6
			slowest[at] = $4
		}
	} else {
		way[at, ++ways[at]] = $3
		row[at, ways[at]] = $4 "," $5 "," $6
	}
}
function line(at, what, function_name, tests, seconds,    part) {
	split(at, part, ",")
	printf "| %s | %s | %s | %s | %s | %.4g | %+.1f %% |\n", part[1], part[2], what, function_name, tests,
		seconds, 100 * (seconds / best[at] - 1)
}
END {
	print "| network | cells | choice | function | tests | time, s | loss |"
	print "| --- | --- | --- | --- | ---: | ---: | ---: |"
	for (i = 1; i <= n; i++) {
		at = order[i]
		line(at, "best alone", name[at], "", best[at])
		line(at, "worst alone", slowest[at], "", worst[at])
		for (k = 1; k <= ways[at]; k++) {
			split(row[at, k], cell, ",")
			line(at, way[at, k], cell[1], cell[2], cell[3])
		}
	}
}
