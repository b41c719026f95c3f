# The exponent k of cost = c size^k: least squares of log cost on log size. Lines `size cost`, smallest
# size first. What a command costs anyway (starting, opening the base, a fit that looks at so many
# runs at most) would flatten it, so only sizes count that cost at least three times as much as the
# smallest one. Prints `k n_sizes`, or `- n_sizes` where fewer than two are left.
NR == 1 { fixed = $2 }
NR > 1 && $2 >= 3 * fixed {
	n++
	x = log($1); y = log($2)
	sum_x += x; sum_y += y; sum_xx += x * x; sum_xy += x * y
}
END {
	if (n < 2) { printf "- %d\n", n; exit }
	printf "%.2f %d\n", (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x), n
}
