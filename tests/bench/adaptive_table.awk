# Of lines "SET METHOD SEED RUNS LOSS EXPECTED": by how many runs the mean loss is 2 % for good, and the curves, in
# Markdown. LEVEL: another loss than 0.02.

function mean(set, method, runs) { return sum[set, method, runs] / n[set, method, runs] }

# Where the mean loss falls to the level and stays: between two numbers of runs by straight lines in their
# logarithms. "> N" where it is above the level at the last one.
function reached(set, method, i, at, before, after, last, x, y) {
	before = after = 0
	for (i = 1; i <= n_stops[set]; i++) {
		at = stop[set, i]
		if (!((set, method, at) in n)) continue
		last = at
		if (mean(set, method, at) > level) { before = at; after = 0 } else if (!after) after = at
	}
	if (!after) return "> " last
	if (!before) return "<= " after
	x = log(mean(set, method, before)); y = log(mean(set, method, after) + 1e-9)
	return sprintf("%.0f", exp(log(before) + (x - log(level)) / (x - y) * (log(after) - log(before))))
}

function ratio(a, b, more) {
	more = b ~ /^>/ ? "more than " : ""
	if (a ~ /^>/) return "not reached"
	gsub(/[^0-9]/, "", a); gsub(/[^0-9]/, "", b)
	return sprintf("%s%.1f", more, b / a)
}

function percent(set, method, at) { return (set, method, at) in n ? sprintf("%.2f %%", 100 * mean(set, method, at)) : "" }

BEGIN { level = LEVEL ? LEVEL : 0.02 }
{
	if (!($1 in n_stops)) order[++n_sets] = $1
	if (!(($1, $4) in seen)) { seen[$1, $4]; stop[$1, ++n_stops[$1]] = $4 }
	n[$1, $2, $4]++; sum[$1, $2, $4] += $5
	if (!(($1, $2, $4) in most) || $5 > most[$1, $2, $4]) most[$1, $2, $4] = $5
	if ($6 != "nan" && $6 != "-nan") { expected[$1, $2, $4] += $6; told[$1, $2, $4]++ }
}
END {
	printf "Runs until the mean loss is %g %% for good (interpolated), and how many times as many the others need:\n\n", 100 * level
	print "| runs of | adaptive | Latin hypercube | times | random | times |"
	print "| --- | ---: | ---: | ---: | ---: | ---: |"
	for (s = 1; s <= n_sets; s++) {
		set = order[s]
		a = reached(set, "adaptive"); l = reached(set, "latin"); r = reached(set, "random")
		printf "| %s | %s | %s | %s | %s | %s |\n", set, a, l, ratio(a, l), r, ratio(a, r)
	}
	for (s = 1; s <= n_sets; s++) {
		set = order[s]
		printf "\nLoss by runs, %s:\n\n", set
		print "| runs | adaptive | worst seed | expected | Latin hypercube | worst seed | random |"
		print "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
		for (i = 1; i <= n_stops[set]; i++) {
			at = stop[set, i]
			printf "| %d | %s | %s | %s | %s | %s | %s |\n", at, percent(set, "adaptive", at),
				(set, "adaptive", at) in most ? sprintf("%.2f %%", 100 * most[set, "adaptive", at]) : "",
				told[set, "adaptive", at] ? sprintf("%.2f %%", 100 * expected[set, "adaptive", at] / told[set, "adaptive", at]) : "",
				percent(set, "latin", at), sprintf("%.2f %%", 100 * most[set, "latin", at]), percent(set, "random", at)
		}
	}
}
