# Print a Markdown table: the newest entry of speed_history.csv beside the median of earlier ones on the
# same machine. An entry is all lines of one date. Worse is what takes over 10 % more, time or memory,
# and lies beyond three times the noise: the largest of what the entry's own repeats scattered by, what those of
# earlier entries did (their median), and how far the earlier values lie apart (MAD).
function sort(v, n, i, j, x) {
	for (i = 2; i <= n; i++) {
		x = v[i]
		for (j = i - 1; j >= 1 && v[j] > x; j--) v[j + 1] = v[j]
		v[j + 1] = x
	}
}
function median(v, n) {
	sort(v, n)
	return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}
function max(a, b) { return a > b ? a : b }
# What the earlier entries of this machine have to say; sets centre and noise, returns their number.
function earlier(what, i, n, value, scatter) {
	n = 0
	for (i = 1; i < NR; i++)
		if (name[i] == what && machine[i] == machine[NR] && date[i] != date[NR]) {
			value[++n] = values[i]; scatter[n] = noises[i]
		}
	if (n == 0) return 0
	centre = median(value, n)
	noise = median(scatter, n)
	for (i = 1; i <= n; i++) value[i] = value[i] > centre ? value[i] - centre : centre - value[i]
	noise = max(noise, 1.4826 * median(value, n))
	return n
}
BEGIN { FS = "," }
{ date[NR] = $1; machine[NR] = $3; name[NR] = $5; values[NR] = $6; unit[NR] = $7; noises[NR] = $8 + 0 }
END {
	print "| what | earlier | entries | now | ratio | |"
	print "| --- | ---: | ---: | ---: | ---: | --- |"
	for (r = 2; r <= NR; r++) {
		if (date[r] != date[NR]) continue
		n = earlier(name[r])
		if (n == 0) {
			printf "| %s | | 0 | %.4g %s | | new |\n", name[r], values[r], unit[r]
			continue
		}
		far = 3 * max(noise, noises[r])
		verdict = ""
		if (values[r] > 1.1 * centre && values[r] > centre + far) { verdict = "worse"; n_worse++ }
		if (values[r] < centre / 1.1 && values[r] < centre - far) verdict = "better"
		printf "| %s | %.4g %s | %d | %.4g %s | %.2f | %s |\n", name[r], centre, unit[r], n,
			values[r], unit[r], (centre > 0 ? values[r] / centre : 0), verdict
	}
	printf "\n%d of these are worse than before, beyond noise.\n", n_worse
}
