#!/bin/bash
# Run unit test binaries, as many at a time as there are processors: one line each, and all that a
# failing one said. The last line counts test functions, not binaries.
# usage: run_units.sh LOG_FOLDER [-w WRAPPER] TEST...    WRAPPER: e.g. "valgrind -q --error-exitcode=9"
set -uo pipefail
logs=$1
shift
export WRAPPER=
if [ "${1-}" = -w ]; then
	WRAPPER=$2
	shift 2
fi
[ $# -gt 0 ] || { echo "no unit tests to run" >&2; exit 1; }
export logs
mkdir -p "$logs"
rm -f "$logs"/*.log "$logs"/*.status

run_one() {
	local test=$1 log=$logs/${1##*/} status=0
	# shellcheck disable=SC2086 # WRAPPER is a command with its arguments
	$WRAPPER "$test" >"$log.log" 2>&1 || status=$?
	# The exit status decides, the text only counts: cmocka prints no FAILED line when a group's
	# setup fails, or when a sanitizer ends the process.
	local ok failed
	ok=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s)\..*/\1/p' "$log.log" | tail -1)
	failed=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test(s), listed below.*/\1/p' "$log.log" | tail -1)
	[ $status -eq 0 ] || [ "${failed:-0}" -gt 0 ] || failed=1
	echo "${ok:-0} $([ $status -eq 0 ] && echo 0 || echo "${failed:-1}")" >"$log.status"
	if [ $status -eq 0 ]; then
		printf '  ok    %-52s %3d\n' "${test##*tests/unit/}" "${ok:-0}"
	else
		printf '  FAIL  %-52s exit %d\n%s\n' "${test##*tests/unit/}" $status "$(cat "$log.log")"
	fi
}
export -f run_one

printf '%s\0' "$@" | xargs -0 -P "$(nproc)" -I TEST bash -c 'run_one TEST'
cat "$logs"/*.status | awk '{ ok += $1; bad += $2 }
	END { printf "%d passed, %d failed\n", ok, bad; exit bad > 0 }'
