#!/bin/sh
# Print the section of docs/speed.md about import: the same table of runs read by us and by others,
# in turns. The base of the last import stays as WORK_FOLDER/big.kb.
# usage: import.sh BUILD_FOLDER WORK_FOLDER ROWS
set -eu
build=$1
work=$2
rows=$3
csv=$work/big.csv

here=$(dirname "$0")
# shellcheck source=tests/bench/lib.sh
. "$here/lib.sh"

measure() { "$build/tests/bench/measure" 1 "$@"; } # wall, processor time, 0, memory

# ---- what is measured: each prints the line of measure

fresh_base() {
	rm -f "$work/big.kb" "$work/big.kb-wal" "$work/big.kb-shm"
	"$build/lemnos" init --kb "$work/big.kb" >/dev/null
}
ours() { # FILE [OPTION...]
	measure "$build/lemnos" ingest --quiet --kb "$work/big.kb" --app sweep3d "$@"
}
into_nothing() {
	fresh_base
	ours "$csv"
}
dry_run() {
	fresh_base
	ours "$csv" --dry-run
}
# Other runs of the same number are there: their keys are read.
beside_others() {
	fresh_base
	awk -F, -v OFS=, 'NR > 1 { $NF += 10 } { print }' "$csv" >"$work/others.csv"
	ours "$work/others.csv" >/dev/null
	rm "$work/others.csv"
	ours "$csv"
}
one_more_row() {
	head -2 "$csv" | sed '2s/[0-9]*$/99/' >"$work/one.csv"
	ours "$work/one.csv"
}
untyped() {
	rm -f "$work/shell.db"
	measure sqlite3 "$work/shell.db" '.mode csv' ".import $csv run"
}
# With what a base has, as far as .import can: types, checks, write-ahead log, an index over 64 bits. It
# cannot fill a table with derived columns.
typed() {
	rm -f "$work/shell.db" "$work/shell.db-wal" "$work/shell.db-shm"
	measure sqlite3 "$work/shell.db" '.mode csv' "
		PRAGMA journal_mode = WAL;
		CREATE TABLE run (app TEXT NOT NULL, machine TEXT NOT NULL, source TEXT NOT NULL
			CHECK (source = 'measured' OR source = 'simulated' OR source = 'modelled'),
			it_g INTEGER, jt_g INTEGER, kt INTEGER, npe_i INTEGER, npe_j INTEGER, nodes INTEGER,
			mk INTEGER, mmi INTEGER, iterations INTEGER,
			runtime_s REAL CHECK (runtime_s > 0 AND runtime_s < 9e99), repeat INTEGER) STRICT;" \
		".import --skip 1 $csv run" 'CREATE INDEX run_by_time ON run (runtime_s)'
}
duckdb_import() {
	rm -f "$work/shell.duckdb"
	measure duckdb "$work/shell.duckdb" -c "CREATE TABLE run AS FROM read_csv('$csv')"
}
postgres_copy() {
	sh "$here/postgres_copy.sh" "$build" "$csv"
}

# ---- the table

# row WHAT NAME: the medians of what was left in $work/import.NAME
row() {
	sort -n "$work/import.$2" | awk -v what="$1" -v base="$(theirs)" '
		{ wall[NR] = $1; cpu[NR] = $2; if ($4 > mb) mb = $4 }
		END { m = wall[int((NR + 1) / 2)]
			printf "| %s | %.2f s | %.2f s | %.2f | %s |\n", what, m, cpu[int((NR + 1) / 2)], m / base,
				mb ? sprintf("%.0f MB", mb) : "" }'
}
theirs() { sort -n "$work/import.untyped" | awk '{ wall[NR] = $1 } END { print wall[int((NR + 1) / 2)] }'; }

rm -f "$work"/import.*
for _ in 1 2 3; do
	for way in untyped into_nothing; do $way >>"$work/import.$way"; done
done
typed >"$work/import.typed"
dry_run >"$work/import.dry_run"
beside_others >"$work/import.beside_others"
into_nothing >/dev/null
one_more_row >"$work/import.one_more_row"
into_nothing >/dev/null

cat <<'MD'

### Import, and others at the same file

Two threads read and store side by side, so that processor time exceeds wall time where two processors are
free. The ratio is of wall times, to the untyped table.

| import | wall time | processor time | ratio | most memory |
| --- | ---: | ---: | ---: | ---: |
MD
row 'into an empty base: hashed, validated (median of 3)' into_nothing
row 'the same, nothing kept (`--dry-run`)' dry_run
row "into a base of $rows other runs: known rows looked for" beside_others
row 'one more run after the first import: the index made for it' one_more_row
row '`sqlite3 .import` into an untyped table (median of 3)' untyped
row '`sqlite3 .import` into a table with the types, checks, journal and index of a base, no derived columns' typed
missing=
# other TOOL NAME WHAT: a row, where the tool is here and does it
other() {
	if command -v "$1" >/dev/null && "$2" >"$work/import.$2" 2>/dev/null; then
		row "$3" "$2"
	else
		missing="$missing $1"
	fi
}
other duckdb duckdb_import 'DuckDB `read_csv`'
other psql postgres_copy 'PostgreSQL `\copy` into a table with types and checks, client and server'
[ -z "$missing" ] || printf '\nNot here to compare with:%s.\n' "$missing"
keep "ingest $rows rows" "$(sort -n "$work/import.into_nothing" | awk '{ w[NR] = $1 } END { print w[int((NR + 1) / 2)] }')" \
	s "$(cut -d ' ' -f 1 "$work/import.into_nothing" | mad)"
keep "memory: ingest $rows rows" "$(sort -n -k 4 "$work/import.into_nothing" | awk 'END { print $4 }')" MB 0
