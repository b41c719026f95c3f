#!/bin/bash
# Run unit test binaries, as many at a time as there are processors ($JOBS: so many): one line each, with
# the number of its tests and its seconds of a processor, and all that a failing one said. The last line counts test functions, not binaries.
# usage: run_units.sh LOG_FOLDER [-w WRAPPER] [-p SEED/PARTS] [-c SLOW] TEST...
#   -w: e.g. "valgrind -q --error-exitcode=9"
#   -p: one of so many parts, drawn by name; seeds that follow each other take turns, so 0/3, 1/3 and 2/3 are all
#   -c: only what has changed since it passed, binary or data. SLOW names tests ("test_a test_b") that are left
#       out if more than 40 others have to run: a change of base/ reaches every test.
set -uo pipefail
logs=$1
shift
export WRAPPER='' slow='' changed=no
part=0/1
while getopts w:p:c: option; do
	case $option in
	w) WRAPPER=$OPTARG ;;
	p) part=$OPTARG ;;
	c) slow=$OPTARG changed=yes ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { echo "no unit tests to run" >&2; exit 1; }
export logs
mkdir -p "$logs"
rm -f "$logs"/*.log "$logs"/*.status "$logs"/*.time

# All that decides what a test does: its bytes, which change if and only if something does that it is
# linked with, and the files that tests read.
data=$(find data tests/fixtures kernels -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)
export data
digest() { # TEST
	echo "$data $(sha256sum <"$1")"
}
export -f digest

drawn() { # TEST
	local number
	number=$(printf %s "${1##*/}" | cksum | cut -d ' ' -f 1)
	[ $(((number + ${part%/*}) % ${part#*/})) -eq 0 ]
}

choose() { # TEST...: sets tests to those that have to run
	local test also=()
	tests=()
	for test; do
		if ! drawn "$test"; then
			continue
		elif [ $changed = yes ] && digest "$test" | cmp -s - "$logs/${test##*/}.passed"; then
			continue
		elif [ $changed = yes ] && [[ " $slow " = *" ${test##*/} "* ]]; then
			also+=("$test")
		else
			tests+=("$test")
		fi
	done
	if [ ${#tests[@]} -le 40 ]; then
		tests+=("${also[@]}")
	else
		echo "  left to make check, as ${#tests[@]} others have to run: ${also[*]##*/}"
	fi
}

run_one() {
	local test=$1 log=$logs/${1##*/} status=0
	digest "$test" >"$log.now"
	local TIMEFORMAT='%U %S' seconds
	# shellcheck disable=SC2086 # WRAPPER is a command with its arguments
	{ time $WRAPPER "$test" >"$log.log" 2>&1 || status=$?; } 2>"$log.time"
	seconds=$(awk 'END { printf "%.1f", $1 + $2 }' "$log.time")
	# The exit status decides, the text only counts: cmocka prints no FAILED line when a group's
	# setup fails, or when a sanitizer ends the process.
	local ok failed
	ok=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s)\..*/\1/p' "$log.log" | tail -1)
	failed=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test(s), listed below.*/\1/p' "$log.log" | tail -1)
	[ $status -eq 0 ] || [ "${failed:-0}" -gt 0 ] || failed=1
	echo "${ok:-0} $([ $status -eq 0 ] && echo 0 || echo "${failed:-1}")" >"$log.status"
	rm -f "$log.passed"
	if [ $status -eq 0 ]; then
		mv "$log.now" "$log.passed"
		printf '  ok    %-52s %3d %6s s\n' "${test##*tests/unit/}" "${ok:-0}" "$seconds"
	else
		printf '  FAIL  %-52s exit %d\n%s\n' "${test##*tests/unit/}" $status "$(cat "$log.log")"
	fi
}
export -f run_one

choose "$@"
if [ ${#tests[@]} -eq 0 ]; then
	echo "  all $# unit tests are as they were when they passed"
	echo "0 passed, 0 failed"
	exit
fi
printf '%s\0' "${tests[@]}" | xargs -0 -P "${JOBS:-$(nproc)}" -I TEST bash -c 'run_one TEST'
[ ${#tests[@]} -eq $# ] || echo "  $(($# - ${#tests[@]})) of $# were not run"
cat "$logs"/*.status | awk '{ ok += $1; bad += $2 }
	END { printf "%d passed, %d failed\n", ok, bad; exit bad > 0 }'
