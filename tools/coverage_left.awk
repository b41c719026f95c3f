# Say of each line FILE:NUMBER that no test reached what it is for, as far as its text and its
# neighbours' tell. Prints `REASON <tab> FILE:NUMBER: TEXT`.
function load(file, n, text) {
	if (file == loaded) return
	loaded = file
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
{
	split($0, at, ":")
	load(at[1])
	text = source[at[2] + 0]
	sub(/^[ \t]+/, "", text)
	printf "%s\t%s:%d: %s\n", reason(at[2] + 0), at[1], at[2], text
}
