# Of lines "SET METHOD SEED RUNS LOSS EXPECTED": by how many runs the mean loss is 2 % and 0.5 % for good, and the
# curves, in Markdown.

function mean(set, method, runs) { return sum[set, method, runs] / n[set, method, runs] }

# Where the mean loss falls to the level and stays: between two numbers of runs by a straight line in their
# logarithms. "> N": it is above the level at the last one.
function reached(set, method, level,    i, at, before, after, last, x, y) {
	before = after = last = 0
	for (i = 1; i <= n_stops[set]; i++) {
		at = stop[set, i]
		if (!((set, method, at) in n)) continue
		last = at
		if (mean(set, method, at) > level) { before = at; after = 0 } else if (!after) after = at
	}
	if (!after) return "> " last
	if (!before) return "<= " after
	x = log(mean(set, method, before)); y = log(mean(set, method, after) + 1e-6)
	return sprintf("%.0f", exp(log(before) + (x - log(level)) / (x - y) * (log(after) - log(before))))
}

function number(text) { gsub(/[^0-9]/, "", text); return text + 0 }

function times(adaptive, other) {
	if (adaptive ~ />/) return "not reached"
	return sprintf("%s%.1f", other ~ />/ ? "more than " : "", number(other) / number(adaptive))
}

function verdict(adaptive, latin) {
	return adaptive !~ />/ && number(latin) >= 3 * number(adaptive) ? "met" : "missed"
}

function percent(x) { return sprintf("%.2f %%", 100 * x) }

function mean_percent(set, method, at) { return (set, method, at) in n ? percent(mean(set, method, at)) : "" }
function most_percent(set, method, at) { return (set, method, at) in n ? percent(most[set, method, at]) : "" }

function print_reached(level,    s, set, a, l, r) {
	printf "\nRuns until the mean loss is %g %% and stays below (interpolated), and how many times as many the others need:\n\n", 100 * level
	print "| runs of | adaptive | Latin hypercube | times | random | times | a third of the Latin hypercube |"
	print "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
	for (s = 1; s <= n_sets; s++) {
		set = order[s]
		a = reached(set, "adaptive", level); l = reached(set, "latin", level); r = reached(set, "random", level)
		printf "| %s | %s | %s | %s | %s | %s | %s |\n", set, a, l, times(a, l), r, times(a, r), verdict(a, l)
	}
}

function print_curve(set,    i, at) {
	printf "\nLoss by runs, %s, %d seeds:\n\n", set, n_seeds[set]
	print "| runs | adaptive | worst seed | expected | Latin hypercube | worst seed | random | worst seed |"
	print "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
	for (i = 1; i <= n_stops[set]; i++) {
		at = stop[set, i]
		printf "| %d | %s | %s | %s | %s | %s | %s | %s |\n", at, mean_percent(set, "adaptive", at),
			most_percent(set, "adaptive", at),
			told[set, "adaptive", at] ? percent(expected[set, "adaptive", at] / told[set, "adaptive", at]) : "",
			mean_percent(set, "latin", at), most_percent(set, "latin", at),
			mean_percent(set, "random", at), most_percent(set, "random", at)
	}
}

{
	if (!($1 in n_stops)) { order[++n_sets] = $1; n_stops[$1] = 0 }
	if (!(($1, $3) in seed)) { seed[$1, $3]; n_seeds[$1]++ }
	if (!(($1, $4) in seen)) { seen[$1, $4]; stop[$1, ++n_stops[$1]] = $4 }
	n[$1, $2, $4]++; sum[$1, $2, $4] += $5
	if (!(($1, $2, $4) in most) || $5 > most[$1, $2, $4]) most[$1, $2, $4] = $5
	if ($6 !~ /nan/) { expected[$1, $2, $4] += $6; told[$1, $2, $4]++ }
}
END {
	print_reached(0.02)
	print_reached(0.005)
	for (s = 1; s <= n_sets; s++) print_curve(order[s])
}
