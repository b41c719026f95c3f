#!/bin/sh
# Time COPY of a CSV file of runs into a typed table of PostgreSQL, in a cluster of its own that is made
# for this and thrown away: no network, a socket in a temporary folder, the settings as they come.
# Prints what tests/bench/measure prints: wall time, processor time of client and server, 0, and 0 for
# memory, most of which processes of the server share. Fails where the server's programs are missing.
# usage: postgres_copy.sh BUILD_FOLDER FILE.csv
set -eu
build=$(cd "$1" && pwd)
csv=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")

# The newest: they are not in PATH on Debian.
programs=
for folder in "$(pg_config --bindir 2>/dev/null || true)" /usr/lib/postgresql/*/bin /usr/pgsql-*/bin; do
	[ ! -x "$folder/initdb" ] || [ ! -x "$folder/postgres" ] || programs=$folder
done
[ -n "$programs" ] && command -v psql >/dev/null || exit 1

# The server refuses to be root.
unprivileged() {
	if [ "$(id -u)" -eq 0 ]; then
		runuser -u nobody -- "$@"
	else
		"$@"
	fi
}

home=$(unprivileged mktemp -d /tmp/lemnos-pg-XXXXXX)
stop() {
	unprivileged "$programs/pg_ctl" -D "$home/data" -m immediate stop >/dev/null 2>&1 || true
	rm -rf "$home"
}
trap stop EXIT
trap 'exit 1' INT TERM
cd "$home" # initdb wants to be able to return to where it was

{
	unprivileged "$programs/initdb" -D "$home/data" -U bench -A trust -E UTF8 --no-locale
	unprivileged "$programs/pg_ctl" -D "$home/data" -l "$home/log" -w start \
		-o "-c listen_addresses='' -c unix_socket_directories='$home'"
} >/dev/null

# Processor time of the server so far [s]: its processes, and those that have ended.
server_time() {
	cat /proc/[0-9]*/stat 2>/dev/null | sed 's/([^)]*)/name/' |
		awk -v server="$(head -1 "$home/data/postmaster.pid")" -v hz="$(getconf CLK_TCK)" '
			$1 == server { t += $14 + $15 + $16 + $17 }
			$4 == server { t += $14 + $15 }
			END { print t / hz }'
}

set -- psql -X -q -v ON_ERROR_STOP=1 -h "$home" -U bench -d postgres
"$@" -c "CREATE TABLE run (app text NOT NULL, machine text NOT NULL,
	source text NOT NULL CHECK (source IN ('measured', 'simulated', 'modelled')),
	it_g bigint, jt_g bigint, kt bigint, npe_i bigint, npe_j bigint, nodes bigint, mk bigint, mmi bigint,
	iterations bigint, runtime_s double precision CHECK (runtime_s > 0), repeat bigint)"
before=$(server_time)
measured=$("$build/tests/bench/measure" 1 "$@" -c "\\copy run FROM '$csv' CSV HEADER")
[ "$("$@" -At -c 'SELECT count(*) FROM run')" -eq "$(($(wc -l <"$csv") - 1))" ]
echo "$measured" | awk -v from="$before" -v to="$(server_time)" '{ print $1, $2 + to - from, 0, 0 }'
