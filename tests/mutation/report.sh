#!/bin/bash
# What run.sh found, as Markdown: killed by kind of change, then the survivors.
# usage: report.sh RESULTS.tsv...
set -euo pipefail
sort -t "$(printf '\t')" -k 1,1 -k 2,2n "$@" | awk -F '\t' '
# Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927
function share(k, n,    z, mid, half) {
	z = 1.959964
	mid = (k + z * z / 2) / (n + z * z)
	half = z * sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
	return sprintf("%.1f %% (%.0f to %.0f)", 100 * k / n, 100 * (mid - half), 100 * (mid + half))
}
function row(name, n, killed, sanitized) {
	printf "| %s | %d | %d | %d | %d | %s |\n", name, n, killed, sanitized, n - killed - sanitized,
		share(killed + sanitized, n)
}
{
	kind[$4] = 1
	n[$4]++
	n_all++
	n_killed[$4] += $7 == "killed"
	n_sanitized[$4] += $7 == "killed by sanitizers"
	all_killed += $7 == "killed"
	all_sanitized += $7 == "killed by sanitizers"
	if ($7 == "survived")
		survivor[++n_survivors] = sprintf("| `%s:%d` | %s | `%s` | `%s` |", $1, $3, $4, $5, $6)
}
END {
	print "| change | mutants | killed | only by sanitizers | survived | killed of all (95 %) |"
	print "|---|---|---|---|---|---|"
	n_kinds = split("arithmetic,comparison,and/or,negation removed,constant,returned value,call removed," \
		"assignment removed,jump removed,condition negated", name, ",")
	for (i = 1; i <= n_kinds; i++) {
		if (name[i] in kind)
			row(name[i], n[name[i]], n_killed[name[i]], n_sanitized[name[i]])
	}
	if (n_all)
		row("all", n_all, all_killed, all_sanitized)
	print "\n| survivor | change | before | after |\n|---|---|---|---|"
	for (i = 1; i <= n_survivors; i++)
		print survivor[i]
}'
