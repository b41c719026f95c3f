# FILE LINE COUNT BRANCHES TAKEN, with tabs between them, of what `llvm-cov export -format=lcov` says on stdin; of a
# line that no test reached REASON TEXT as well: what it is for, as far as its text and its neighbours' tell.
# usage: awk -v top=FOLDER -v rooms="ROOM ROOM..." -f coverage_lines.awk
# Left out: lines that hold no code of ours (blank, braces, comments), and the branches of assert(), which a test
# that passes cannot take.
function load(file, n, text) {
	split("", source)
	while ((getline text < file) > 0) source[++n] = text
	close(file)
}
function reason(n, near) {
	near = source[n - 2] source[n - 1] source[n] source[n + 1] source[n + 2]
	if (near ~ /ERR_NOMEM|NOMEM|memory|[a-z]alloc\(|strdup\(|json_decref|->?\.?failed/) return "memory gives out"
	if (near ~ /ERR_IO|errno|kb_sql_fail|SQLITE_/) return "the system or SQLite fails"
	if (source[n] ~ /^[ \t]*(return rc;|goto [a-z]+;|return e->code;|[a-z]+:)$/) return "an error is passed on"
	return "other"
}
function left(n, text) {
	text = source[n]
	gsub(/^[ \t]+|\t/, "", text)
	return OFS reason(n) OFS text
}
function end_of_file(i, at) {
	for (i = 1; i <= n; i++) {
		at = line[i]
		if (source[at] !~ /[a-z0-9]/ || source[at] ~ /^[ \t]*(\/\*|\*( |\/|$)|\/\/)/) continue
		if (source[at] ~ /(^|[^a-z_])assert\(/) branches[at] = taken[at] = 0
		print file, at, count[at], branches[at] + 0, taken[at] + 0 (count[at] > 0 ? "" : left(at))
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
