#!/bin/bash
# Run test suites one after the other, whatever the earlier ones did, and end with one line that
# counts all of them.
# usage: run_suites.sh LOG_FOLDER NAME COMMAND [NAME COMMAND]...
# A suite may end with a line "N passed, M failed"; without one it counts as a single test. Its
# exit status decides whether it failed.
set -uo pipefail
logs=$1
shift
mkdir -p "$logs"
passed=0
failed=0
while [ $# -ge 2 ]; do
	name=$1
	echo "== $name"
	bash -c "$2" 2>&1 | tee "$logs/$name.log"
	status=${PIPESTATUS[0]}
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
	shift 2
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
