# What choices cost at best: of somebody who knows each configuration's time within a factor exp(s z), z
# standard normal, error and repeat noise together, and knows s. Reads a CSV of runs; prints a Markdown
# table for several s. The questions are those of `lemnos evaluate --decisions`: the fastest configuration
# of a problem, and the cheapest that is in time with a probability of 0.9, where deadlines are the
# quartiles of the problem's times and the choice is among half of its configurations, or all.
# usage: awk -v problem=COLUMN,... -v target=COLUMN -v ignore=COLUMN,... [-v draws=N] -f choice_bounds.awk RUNS.csv
# ignore: other columns that are results. The column `nodes` is what is paid for.

# Park and Miller, "Random number generators: good ones are hard to find" (CACM 31, 1988): awks differ in
# their own.
function uniform() { state = (16807 * state) % 2147483647; return state / 2147483647 }
function normal() { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()) }

function sort(v, n, i, j, x) { # v[1..n], a problem's configurations: dozens
	for (i = 2; i <= n; i++) {
		x = v[i]
		for (j = i - 1; j >= 1 && v[j] > x; j--) v[j + 1] = v[j]
		v[j + 1] = x
	}
}
function quantile(v, n, q, at, i) { # of sorted v, between its neighbours in proportion
	at = 1 + q * (n - 1); i = int(at)
	return i < n ? v[i] + (at - i) * (v[i + 1] - v[i]) : v[n]
}
function columns_of(list, set, part, n, i) {
	n = split(list, part, ",")
	for (i = 1; i <= n; i++) set[part[i]] = 1
}

# The configurations of one problem: time_s[1..n], nodes[1..n], sorted[1..n].
function take_problem(p, i, k, v) {
	n = n_configs[p]
	for (i = 1; i <= n; i++) {
		split("", v)
		for (k = 1; k <= n_runs[p, i]; k++) v[k] = run_s[p, i, k]
		sort(v, n_runs[p, i])
		time_s[i] = sorted[i] = quantile(v, n_runs[p, i], 0.5)
		nodes[i] = nodes_of[p, i]
	}
	sort(sorted, n)
}
function believe(s, i) { for (i = 1; i <= n; i++) believed[i] = time_s[i] * exp(s * normal()) }
function ask_fastest(i, best) {
	best = 1
	for (i = 2; i <= n; i++) if (believed[i] < believed[best]) best = i
	sum["fastest"] += time_s[best] / sorted[1]; count["fastest"]++
}
# open[i]: may be chosen. Those that are not possible, or not answered, do not count.
function ask_deadline(seen, s, q, i, deadline, least, chosen) {
	deadline = quantile(sorted, n, q)
	least = chosen = 0
	for (i = 1; i <= n; i++) {
		if (!open[i]) continue
		if (time_s[i] <= deadline && (!least || nodes[i] * time_s[i] < nodes[least] * time_s[least]))
			least = i
		if (believed[i] * exp(1.2815515655446004 * s) <= deadline &&
		    (!chosen || nodes[i] * believed[i] < nodes[chosen] * believed[chosen]))
			chosen = i
	}
	if (!least || !chosen) return
	answered++
	if (time_s[chosen] > deadline) return
	in_time++
	sum[seen] += nodes[chosen] * time_s[chosen] / (nodes[least] * time_s[least]); count[seen]++
}
function ask(s, i, left, q) {
	believe(s)
	ask_fastest()
	left = int(n / 2)
	for (i = 1; i <= n; i++) { # half of them, each as likely as the others
		open[i] = uniform() * (n - i + 1) < left
		left -= open[i]
	}
	for (q = 0.25; q < 1; q += 0.25) ask_deadline("half", s, q)
	for (i = 1; i <= n; i++) open[i] = 1
	for (q = 0.25; q < 1; q += 0.25) ask_deadline("nothing", s, q)
}

BEGIN {
	FS = ","
	columns_of(problem, in_problem)
	columns_of(ignore, is_result)
	if (!draws) draws = 20
}
{ sub(/\r$/, "") }
NR == 1 {
	for (i = 1; i <= NF; i++) { name[i] = $i; if ($i == "nodes") nodes_at = i; if ($i == target) target_at = i }
	next
}
{
	p = c = ""
	for (i = 1; i <= NF; i++) {
		if (name[i] in in_problem) p = p "," $i
		else if (name[i] != target && !(name[i] in is_result)) c = c "," $i
	}
	if (!(p in n_configs)) problems[++n_problems] = p
	if (!((p, c) in place)) { place[p, c] = ++n_configs[p]; nodes_of[p, n_configs[p]] = $nodes_at + 0 }
	i = place[p, c]
	run_s[p, i, ++n_runs[p, i]] = $target_at + 0
}
END {
	print "| times known within | fastest: time over the best | deadlines, half seen: cost | nothing seen: cost | in time |"
	print "| ---: | ---: | ---: | ---: | ---: |"
	n_spreads = split("0.01 0.02 0.03 0.05 0.08 0.12", spread, " ")
	for (k = 1; k <= n_spreads; k++) {
		state = 7; answered = in_time = 0
		split("", sum); split("", count)
		for (m = 1; m <= n_problems; m++) {
			if (n_configs[problems[m]] < 10) continue
			take_problem(problems[m])
			for (draw = 1; draw <= draws; draw++) ask(spread[k])
		}
		if (!answered) continue
		printf "| %.0f %% | %.3f | %.3f | %.3f | %.1f %% |\n", 100 * spread[k],
			sum["fastest"] / count["fastest"], sum["half"] / count["half"],
			sum["nothing"] / count["nothing"], 100 * in_time / answered
	}
}
