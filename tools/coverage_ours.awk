# Of the lines and branches that a build with sanitizers counts, those that are there without them, too.
# usage: awk -F '\t' -f coverage_ours.awk WITHOUT WITH     each: FILE LINE COUNT BRANCHES TAKEN, by file and line
# In a condition of several lines the checks move branches from one line to another: what a line lacks is looked for
# in those nearby that have more than they should.
function settle(at, others, n) {
	n = -added[at] < added[others] ? -added[at] : added[others]
	added[at] += n
	added[others] -= n
}
function end_of_file(i, near) {
	for (i = 1; i <= n; i++)
		for (near = 1; near <= 8 && added[i] < 0; near++) {
			if (i + near <= n && added[i + near] > 0) settle(i, i + near)
			if (i - near >= 1 && added[i] < 0 && added[i - near] > 0) settle(i, i - near)
		}
	for (i = 1; i <= n; i++) {
		if (added[i] > 0) {
			# two a check: one leads to a report, and never is taken
			if (count[i] > 0) taken[i] -= added[i] / 2
			branches[i] -= added[i]
		}
		if (taken[i] < 0) taken[i] = 0
		if (taken[i] > branches[i]) taken[i] = branches[i]
		print file, line[i], count[i], branches[i], taken[i]
	}
	n = 0
}
BEGIN { OFS = "\t" }
NR == FNR { ours[$1, $2] = $4; next }
$1 != file { end_of_file(); file = $1 }
!(($1, $2) in ours) { next } # nothing there but a check
{
	n++
	line[n] = $2
	count[n] = $3
	branches[n] = $4
	taken[n] = $5
	added[n] = $4 - ours[$1, $2]
}
END { end_of_file() }
