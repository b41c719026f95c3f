#!/bin/bash
# Eight readers and two writers at once, several that make the same base, a lock that stays.
set -uo pipefail
# shellcheck source=tests/faults/lib.sh
. "$(dirname "$0")/lib.sh"
seconds=10
[ "$how" = sample ] || seconds=180
export LEMNOS_KB=$PWD/a.kb

# ---- all of them make the base at once
pids=()
for i in 1 2 3 4 5 6; do
	"$lemnos" init --quiet >"init.$i" 2>&1 &
	pids+=($!)
done
bad=0
for pid in "${pids[@]}"; do
	wait "$pid" || bad=1
done
if [ $bad -eq 0 ] && sound a.kb; then
	pass "six at a time make one base"
else
	fail "six at a time make one base" init.*
fi

# ---- readers and writers
"$lemnos" ingest "$data/runs/simulated_sp2like.csv" --quiet >/dev/null 2>&1 &&
	"$lemnos" mine --quiet >/dev/null 2>&1 || exit 1
before=$(sqlite3 a.kb 'SELECT count(*) FROM run_sweep3d')
rule=$(sqlite3 a.kb 'SELECT rule_id FROM rule LIMIT 1')
end=$((SECONDS + seconds))

again() { # NAME COMMAND...: until the time is over, once at least; what is no success is kept
	local name=$1 status n=0
	shift
	while [ $n -eq 0 ] || [ $SECONDS -lt $end ]; do
		status=0
		"$@" >"out.$name" 2>"err.$name" || status=$?
		n=$((n + 1))
		[ $status -eq 0 ] || { echo "$* ended with $status:"; cat "err.$name"; } >>"errors.$name"
	done
	echo $n >"times.$name"
}

write() { # WRITER COMMAND...: that it waits for another is no error
	local writer=$1
	shift
	"$@" >/dev/null 2>"err.write$writer" || cat "err.write$writer" >>"errors.write$writer"
}

load() { # WRITER: files of 10 runs each, no two alike
	local i=0
	while [ $i -eq 0 ] || [ $SECONDS -lt $end ]; do
		i=$((i + 1))
		{
			echo it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s
			for j in 0 1 2 3 4 5 6 7 8 9; do
				printf '50,50,50,2,2,4,10,3,%d.%05d%d1\n' "$1" $i $j
			done
		} >"runs.$1.csv"
		write "$1" "$lemnos" ingest "runs.$1.csv" --app sweep3d --machine "w$1"
		write "$1" "$lemnos" rules note "$rule" "writer $1, round $i" --app sweep3d \
			--machine sp2like
		echo $i >"loads.$1"
	done
}

load 1 &
load 2 &
question=(--app sweep3d --machine sp2like --problem 20x20x50)
again status "$lemnos" status &
again rules "$lemnos" rules list --app sweep3d --machine sp2like &
again runs "$lemnos" runs list --limit 5 &
again imports "$lemnos" imports list &
again predict "$lemnos" predict "${question[@]}" --grid 2x2 --mk 10 --mmi 3 &
again recommend "$lemnos" recommend "${question[@]}" --deadline 1h --max-nodes 4 &
again export "$lemnos" runs export --format csv &
again machines "$lemnos" machines list &
wait
find . -name 'errors.*' -size +0 -exec cat {} + >errors
n_reads=$(cat times.* | awk '{ n += $1 } END { print n }')
n_loads=$(($(cat loads.1) + $(cat loads.2)))
if [ ! -s errors ]; then
	pass "eight readers and two writers, $seconds s: no error in $n_reads commands that read, $n_loads that load"
else
	fail "eight readers and two writers" errors
fi
if sound a.kb && [ "$(sqlite3 a.kb 'SELECT count(*) FROM run_sweep3d')" -eq $((before + 10 * n_loads)) ] &&
	[ "$(sqlite3 a.kb 'SELECT count(*) FROM rule_decision')" -eq "$n_loads" ]; then
	pass "no run and no judgement is lost"
else
	sqlite3 a.kb 'SELECT count(*) FROM run_sweep3d; SELECT count(*) FROM rule_decision' >counts
	echo "expected: $((before + 10 * n_loads)) $n_loads" >>counts
	fail "no run and no judgement is lost" counts
fi

# ---- a lock that stays for a while, and one that its owner took to the grave
names_holder() { # is a lock on the base in the system's list, as of a process?
	local file major minor inode
	for file in a.kb a.kb-shm; do
		read -r major minor inode < <(stat -c '%Hd %Ld %i' $file)
		grep -q "$(printf ' %02x:%02x:%s ' "$major" "$minor" "$inode")" /proc/locks && return
	done
	return 1
}
mkfifo sql
sqlite3 a.kb <sql >/dev/null 2>&1 &
holder=$!
exec 3>sql
echo "BEGIN IMMEDIATE; INSERT INTO machine(name, definition) VALUES ('x', 'x');" >&3
echo ".shell touch held" >&3
wait_until test -e held
expect "a base that is being written is read" 0 'runs:' "$lemnos" status
"$lemnos" machines default sp2like >waited 2>&1 &
waiting=$!
wait_until grep -qs waiting waited
if ! names_holder; then
	left_out "who holds a lock" "/proc/locks does not tell it of this file system"
elif grep -q "process $holder (sqlite3) is writing to the knowledge base; waiting for it, up to 60 s" waited; then
	pass "a writer says that it waits for another"
else
	fail "a writer says that it waits for another" waited
fi
kill -STOP $holder
wait_until grep -q '^State:.*stopped' /proc/$holder/status
"$lemnos" machines default sp2like >stopped 2>&1 &
stopped=$!
wait_until grep -qs waiting stopped
kill $stopped
wait $stopped
kill -CONT $holder
if ! names_holder; then
	left_out "that who holds a lock is stopped" "see above"
elif grep -q "process $holder (sqlite3, stopped)" stopped; then
	pass "a process that was stopped with a lock is called so"
else
	fail "a process that was stopped with a lock is called so" stopped
fi
kill -KILL $holder
wait $holder 2>/dev/null
exec 3>&-
if wait $waiting && sound a.kb; then
	pass "a lock whose owner was killed keeps nobody out"
else
	fail "a lock whose owner was killed keeps nobody out" waited
fi

# ---- what a killed one had begun to write
most=0
for ((at = 20; at <= 1500; at += 20)); do
	FAULT=kill FAULT_AT=$at FAULT_SERIAL=1 LD_PRELOAD=$build/tests/faults/fault_inject.so \
		"$lemnos" status backup copy.kb >/dev/null 2>&1 && break
	left=$(find . -name 'copy.kb.*' | wc -l)
	[ "$left" -le $most ] || most=$left
done 2>/dev/null # the shell tells of each that was killed
rm -f copy.kb
"$lemnos" status backup copy.kb >again 2>&1
left=$(find . -name 'copy.kb?*' | wc -l)
if [ "$most" -gt 0 ] && [ "$left" -eq 0 ] && sound copy.kb; then
	pass "what killed backups left goes with the next one"
else
	echo "at most $most files were left, and $left are there after the next backup" >>again
	fail "what killed backups left goes with the next one" again
fi
verdict
