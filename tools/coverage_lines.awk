# FILE LINE COUNT BRANCHES TAKEN, with tabs between them, of what `llvm-cov export -format=lcov` says on stdin.
# usage: awk -v top=FOLDER -v rooms="ROOM ROOM..." -f coverage_lines.awk
# Left out: lines that hold no code of ours (blank, braces, comments), and the branches of assert(), which a test
# that passes cannot take.
function load(file, n, text) {
	split("", source)
	while ((getline text < file) > 0) source[++n] = text
	close(file)
}
function end_of_file(i, at) {
	for (i = 1; i <= n; i++) {
		at = line[i]
		if (source[at] !~ /[a-z0-9]/ || source[at] ~ /^[ \t]*(\/\*|\*|\/\/)/) continue
		if (source[at] ~ /(^|[^a-z_])assert\(/) branches[at] = taken[at] = 0
		print file, at, count[at], branches[at] + 0, taken[at] + 0
	}
	n = 0
	split("", branches)
	split("", taken)
}
BEGIN {
	FS = "[:,]"
	OFS = "\t"
	n_rooms = split(rooms, room, " ")
}
$1 == "SF" {
	file = substr($0, 4)
	if (index(file, top "/") == 1) file = substr(file, length(top) + 2)
	wanted = 0
	for (i = 1; i <= n_rooms; i++)
		if (index(file, room[i] "/") == 1) wanted = 1
	if (wanted) load(file)
}
!wanted { next }
$1 == "DA" { line[++n] = $2; count[$2] = $3 }
$1 == "BRDA" { branches[$2]++; taken[$2] += $5 != "-" && $5 > 0 }
/^end_of_record/ { end_of_file() }
