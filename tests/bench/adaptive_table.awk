# Of lines "SET METHOD SEED RUNS LOSS EXPECTED LOSS-BUT-WORST": by how many runs the mean loss is 2 % and 0.5 % for
# good, the same without the worst problem, what few runs could do, and the curves, in Markdown.

BEGIN { suffix_of_worst = " but worst" }
function mean(set, method, runs) { return sum[set, method, runs] / n[set, method, runs] }
# As if it were a set of its own.
function but_worst(set) { return set suffix_of_worst }

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
	return sprintf("%s%.1f", other ~ />/ ? "more than " : other ~ /</ ? "at most " : "", number(other) / number(adaptive))
}

function verdict(adaptive, latin) {
	return adaptive !~ />/ && number(latin) >= 3 * number(adaptive) ? "met" : "missed"
}

function percent(x) { return sprintf("%.2f %%", 100 * x) }

function mean_percent(set, method, at) { return (set, method, at) in n ? percent(mean(set, method, at)) : "" }
function most_percent(set, method, at) { return (set, method, at) in n ? percent(most[set, method, at]) : "" }

function print_reached(level, what, suffix,    s, set, a, l, r) {
	printf "\nRuns until the mean loss%s is %g %% and stays below (interpolated), and how many times as many the others need:\n\n", what, 100 * level
	print "| runs of | adaptive | Latin hypercube | times | random | times | a third of the Latin hypercube |"
	print "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
	for (s = 1; s <= n_sets; s++) {
		set = order[s] suffix
		a = reached(set, "adaptive", level); l = reached(set, "latin", level); r = reached(set, "random", level)
		printf "| %s | %s | %s | %s | %s | %s | %s |\n", order[s], a, l, times(a, l), r, times(a, r), verdict(a, l)
	}
}

function print_curve(set,    i, at) {
	printf "\nLoss by runs, %s, %d seeds:\n\n", set, n_seeds[set]
	print "| runs | adaptive | worst seed | but worst problem | expected | Latin hypercube | worst seed | but worst problem | random | worst seed | but worst problem |"
	print "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
	for (i = 1; i <= n_stops[set]; i++) {
		at = stop[set, i]
		printf "| %d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", at, mean_percent(set, "adaptive", at),
			most_percent(set, "adaptive", at), mean_percent(but_worst(set), "adaptive", at),
			told[set, "adaptive", at] ? percent(expected[set, "adaptive", at] / told[set, "adaptive", at]) : "",
			mean_percent(set, "latin", at), most_percent(set, "latin", at), mean_percent(but_worst(set), "latin", at),
			mean_percent(set, "random", at), most_percent(set, "random", at), mean_percent(but_worst(set), "random", at)
	}
}

function print_bounds(    s, set, i, at) {
	print "\nWhat few runs could do:\n"
	print "| runs of | runs | by hindsight (mean of searches) | sets at random below 2 % | Latin hypercube | the same, answered by the fastest prediction |"
	print "| --- | ---: | ---: | ---: | ---: | ---: |"
	for (s = 1; s <= n_sets; s++) {
		set = order[s]
		for (i = 1; i <= n_stops[set]; i++) {
			at = stop[set, i]
			if (!((set, "fastest", at) in few)) continue
			printf "| %s | %d | %s | %s | %s | %s |\n", set, at,
				(set, "hindsight", at) in few ? percent(few_lost[set, "hindsight", at] / few[set, "hindsight", at]) : "",
				(set, "lucky", at) in few ? sprintf("%d of %d", few_below[set, "lucky", at], few[set, "lucky", at]) : "",
				mean_percent(set, "latin", at), percent(few_lost[set, "fastest", at] / few[set, "fastest", at])
		}
	}
}

function count(set, method, runs, lost) {
	if (!((set, runs) in seen)) { seen[set, runs]; stop[set, ++n_stops[set]] = runs }
	n[set, method, runs]++; sum[set, method, runs] += lost
	if (!((set, method, runs) in most) || lost > most[set, method, runs]) most[set, method, runs] = lost
}

$2 ~ /^(hindsight|lucky|fastest)$/ {
	few[$1, $2, $4]++; few_lost[$1, $2, $4] += $5; few_below[$1, $2, $4] += $5 < 0.02
	any_few = 1
	next
}
{
	if (!($1 in n_stops)) { order[++n_sets] = $1; n_stops[$1] = 0 }
	if (!(($1, $3) in seed)) { seed[$1, $3]; n_seeds[$1]++ }
	count($1, $2, $4, $5)
	if (NF > 6) count(but_worst($1), $2, $4, $7)
	if ($6 !~ /nan/) { expected[$1, $2, $4] += $6; told[$1, $2, $4]++ }
}
END {
	print_reached(0.02, "", "")
	print_reached(0.02, " without the worst problem", suffix_of_worst)
	print_reached(0.005, "", "")
	if (any_few) print_bounds()
	for (s = 1; s <= n_sets; s++) print_curve(order[s])
}
