#!/bin/bash
# A base that is larger than people's: N runs (3.3e7 make one beyond 4 GiB; the default is a million) are imported, mined,
# asked about, checked and backed up; and two hosts that share a base as on a network file system. What takes
# how long and how much is printed, and decides nothing.
# usage: run.sh BUILD_FOLDER [N]     works in $TMPDIR, where there must be room for about 600 bytes a run
set -uo pipefail
build=$(cd "$1" && pwd) || exit 2
n=$(printf '%.0f' "${2:-1e6}")
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
lemnos=$build/lemnos
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export LC_ALL=C TZ=UTC HOME=$work USER=tester LEMNOS_NOW=2026-01-01T00:00:00Z
unset LEMNOS_KB LEMNOS_DATADIR LEMNOS_USER XDG_DATA_HOME
passed=0
failed=0
cd "$work" || exit 2

room_kb=$(df -Pk . | awk 'NR == 2 { print $4 }')
if [ "$room_kb" -lt $((n * 600 / 1024)) ]; then
	echo "check-big: SKIPPED, $n runs want $((n * 600 / 1048576)) MiB in ${TMPDIR:-/tmp}, which has $((room_kb / 1024))" >&2
	exit 0
fi

judge() { # NAME 0|1 [FILE]
	if [ "$2" -eq 0 ]; then
		echo "  ok    $1"
		passed=$((passed + 1))
	else
		echo "  FAIL  $1"
		[ $# -lt 3 ] || tail -n 20 "$3" | sed 's/^/        /'
		failed=$((failed + 1))
	fi
}

measured() { # NAME STATUS PATTERN COMMAND...: time and memory in the name
	local name=$1 want=$2 pattern=$3 status=0 start=$EPOCHREALTIME
	shift 3
	if [ -x /usr/bin/time ]; then
		/usr/bin/time -f '%e s, %M KiB at most' -o cost "$@" >said 2>&1 || status=$?
	else
		"$@" >said 2>&1 || status=$?
		awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f s\n", b - a }' >cost
	fi
	[ $status -eq "$want" ] && grep -Eq -- "$pattern" said
	status=$? # before the name is made, which has a status of its own
	judge "$name: $(tail -n 1 cost)" $status said
}

# ---- one base, many runs
export LEMNOS_KB=$work/big.kb
sh "$tree/tests/bench/make_runs.sh" "$n" >runs.csv || exit 2
measured "import of $n runs" 0 "$n taken" "$lemnos" ingest runs.csv --app sweep3d --machine big
rm runs.csv
echo "        the base: $(du -m big.kb | cut -f 1) MiB"
measured "mine" 0 . "$lemnos" mine
measured "recommend" 0 'nodes' "$lemnos" recommend --machine big --problem 280x280x255 --deadline 1h
measured "status check" 0 'nothing wrong' "$lemnos" status check
measured "backup" 0 copied "$lemnos" status backup copy.kb
[ "$(sqlite3 copy.kb 'SELECT count(*) FROM run_sweep3d')" = "$n" ]
judge "the copy has all of them" $?
rm -f copy.kb big.kb*
unset LEMNOS_KB

# ---- two hosts: a file system each, one of them shared, on which no memory is
# shellcheck disable=SC2016 # the inner shell expands it
host() { # NUMBER COMMAND...: sees the shared folder under a name of its own, and says that it is NFS
	local number=$1
	shift
	unshare --mount sh -c 'mount --bind "$1/shared" "$1/host$2" && mount -t tmpfs none "$1/shared" &&
		cd "$1/host$2" && shift 2 && FAULT_NETWORK=1 FAULT_SLEEP=1 LD_PRELOAD="$INJECTOR" exec "$@"' - "$work" "$number" "$@"
}
export INJECTOR=$build/tests/faults/fault_inject.so
mkdir shared host1 host2
if ! unshare --mount true 2>why || ! host 1 true 2>why; then
	echo "  LEFT OUT: two hosts: this system lets us make no mount namespace: $(tail -n 1 why)"
	echo "$passed passed, $failed failed"
	exit $((failed > 0))
fi
import_some() { # HOST: 20 files of 5 runs each, no two alike
	local i
	for ((i = 0; i < 20; i++)); do
		{
			echo it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s
			for j in 0 1 2 3 4; do printf '50,50,50,2,2,4,10,3,%d.%03d%d1\n' "$1" $i $j; done
		} >"shared/runs.$1.$i.csv"
		host "$1" "$lemnos" ingest "runs.$1.$i.csv" --kb a.kb --app sweep3d --machine m --quiet || return 1
	done
}
host 1 "$lemnos" init --kb a.kb --quiet >said 2>&1
judge "one host makes the base" $? said
import_some 1 >said.1 2>&1 &
first=$!
import_some 2 >said.2 2>&1
second=$?
wait $first
judge "both import at once" $((second != 0 || $? != 0)) said.1
[ "$(sqlite3 shared/a.kb 'SELECT count(*) FROM run_sweep3d')" = 200 ] &&
	[ "$(sqlite3 shared/a.kb 'PRAGMA integrity_check')" = ok ]
judge "no run is lost" $?
[ "$(sqlite3 shared/a.kb 'PRAGMA journal_mode')" = delete ] && ! ls shared/*-wal shared/*-shm 2>/dev/null
judge "with the rollback journal, and no memory is shared" $?
host 2 "$lemnos" status check --kb a.kb >said 2>&1
judge "the other host finds nothing wrong" $? said
echo "$passed passed, $failed failed"
exit $((failed > 0))
