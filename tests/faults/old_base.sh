#!/bin/bash
# A base of an old schema version: what the migrations up to it make, filled with what a new one has.
# usage: old_base.sh NEW.kb VERSION OLD.kb
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
schema=$here/../../kb/schema
new=$1
version=$2
old=$3

names() { # BASE: what is in it, as a list for SQL
	sqlite3 "$1" "SELECT group_concat(quote(name)) FROM sqlite_schema"
}

migrations() {
	echo 'PRAGMA journal_mode = WAL; BEGIN;'
	for ((v = 1; v <= version; v++)); do
		cat "$schema"/"$(printf %04d "$v")"_*.sql
	done
	echo "PRAGMA user_version = $version;"
	echo "PRAGMA application_id = $(sqlite3 "$new" 'PRAGMA application_id');"
	echo 'COMMIT;'
}

run_tables() { # made from a definition, not by a migration
	if [ "$version" -lt 7 ]; then
		cat "$here/run_table_6.sql"
		return
	fi
	sqlite3 "$new" "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL
		AND (tbl_name LIKE 'run\_%' ESCAPE '\' OR tbl_name LIKE 'stored\_%' ESCAPE '\') AND name NOT IN ($(names "$old"))
		ORDER BY type <> 'table', type <> 'index'" |
		if [ "$version" -lt 8 ]; then sed '/^\trow_hash /d'; else cat; fi
}

rows() { # of the tables and columns that both have
	echo "ATTACH '$new' AS new; PRAGMA foreign_keys = OFF; BEGIN;"
	sqlite3 "$old" "ATTACH '$new' AS new;
		SELECT format('DELETE FROM main.\"%w\"; INSERT INTO main.\"%w\"(%s) SELECT %s FROM new.\"%w\";',
			t.name, t.name, c.list, c.list, t.name)
		FROM main.sqlite_schema t JOIN (
			SELECT o.name AS name, group_concat(format('\"%w\"', i.name)) AS list
			FROM main.sqlite_schema o, pragma_table_info(o.name, 'main') i
			WHERE o.type = 'table' AND i.name IN
				(SELECT name FROM pragma_table_info(o.name, 'new'))
			GROUP BY o.name) c ON c.name = t.name
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\'
			AND t.name IN (SELECT name FROM new.sqlite_schema)"
	[ "$version" -ge 7 ] || echo "UPDATE application SET run_table = replace(run_table, 'stored_', 'run_');"
	echo 'COMMIT;'
}

# One after the other: who closes a base last has it alone for a moment, and would keep out who opens it.
change() { # WITH: statements, made by this function
	local sql
	sql=$("$1")
	sqlite3 "$old" <<<"$sql" >/dev/null
}

change migrations
change run_tables
change rows
