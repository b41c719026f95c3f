#!/bin/bash
# Run test suites, whatever the others do, and end with one line that counts all of them. Two at a time, if there
# are two processors: some keep one busy, or wait. What they say is shown one after the other.
# usage: run_suites.sh LOG_FOLDER NAME COMMAND [NAME COMMAND]...
# A suite may end with a line "N passed, M failed"; without one it counts as a single test. Its
# exit status decides whether it failed.
set -uo pipefail
logs=$1
shift
mkdir -p "$logs"
names=()
commands=()
while [ $# -ge 2 ]; do
	names+=("$1")
	commands+=("$2")
	: >"$logs/$1.log"
	rm -f "$logs/$1.status"
	shift 2
done
# What runs in the background does not hear of an interrupt.
trap 'trap - TERM; kill -TERM 0' INT

run_suite() { # NAME COMMAND
	local status=0
	bash -c "$2" >"$logs/$1.log" 2>&1 || status=$?
	echo $status >"$logs/$1.now"
	mv "$logs/$1.now" "$logs/$1.status"
}
{
	lanes=$(($(nproc) < 2 ? 1 : 2))
	for i in "${!names[@]}"; do
		[ "$i" -lt $lanes ] || wait -n
		run_suite "${names[i]}" "${commands[i]}" &
	done
	wait
} &

passed=0
failed=0
for name in "${names[@]}"; do
	echo "== $name"
	until [ -e "$logs/$name.status" ]; do sleep 0.1; done &
	tail -s 0.1 -n +1 -f --pid=$! "$logs/$name.log"
	read -r status <"$logs/$name.status"
	if [[ $(tail -1 "$logs/$name.log") =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
		ok=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]}
		if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
	elif [ "$status" -eq 0 ]; then
		ok=1 bad=0
	else
		ok=0 bad=1
	fi
	passed=$((passed + ok))
	failed=$((failed + bad))
done
wait # so that their processor seconds count as ours
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
