# shellcheck shell=bash
# Sections of a check run, for .ci/run to source: alone or side by side, each in a shell of its own with a
# temporary folder and a log of its own. The log is printed whole when the section ends, so that two that run
# at once do not mix. All of them run, whatever the earlier ones did, but for those that need one that failed.
#
#   section FUNCTION "WHAT IT IS" "HOW TO REPEAT IT" [NEEDED FUNCTION]...   in the order of their start
#   mostly_waits FUNCTION...                                               they hardly need a processor
#   may_wait FUNCTION...                                                   others get processors first
#   run_sections LANES FUNCTION...                                         so many at a time, beside those
#   sections_verdict                                                       the table; fails if one failed
#
# The caller sets $sections, an empty folder. CPU seconds are those of the section and of all it waited for:
# they tell what a section costs, also where several share a processor.
declare -A title again needs state wall cpu counts runs_as lane niceness

section() {
	title[$1]=$2
	again[$1]=$3
	needs[$1]=${*:4}
	state[$1]=waiting
	lane[$1]=1
}

mostly_waits() {
	local name
	for name; do lane[$name]=0; done
}

may_wait() {
	local name
	for name; do niceness[$name]=5; done
}

start_section() { # FUNCTION
	mkdir -p "$sections/$1.tmp"
	(
		[ -z "${niceness[$1]-}" ] || renice -n "${niceness[$1]}" -p "$BASHPID" >/dev/null
		export TMPDIR=$sections/$1.tmp XDG_DATA_HOME=$sections/$1.tmp/data
		TIMEFORMAT='%R %U %S'
		set +e # a section that fails has taken its time, too
		time { # a shell of its own: there, unlike in a condition, a command that fails ends the section
			(
				set -euo pipefail
				"$1"
			) >"$sections/$1.log" 2>&1
		}
		exit $?
	) 2>"$sections/$1.time" &
	runs_as[$!]=$1
	state[$1]=running
}

# The last line that says so counts: a suite ends with the sum of its parts.
count_tests() { # LOG
	sed -n 's/.*\b\([0-9]\+\) passed, \([0-9]\+\) failed.*/\1 \2/p' "$1" | tail -n 1
}

end_section() { # FUNCTION STATUS
	local user system
	read -r wall[$1] user system < <(tail -n 1 "$sections/$1.time")
	cpu[$1]=$(awk -v u="$user" -v s="$system" 'BEGIN { print u + s }')
	counts[$1]=$(count_tests "$sections/$1.log")
	if [ "$2" -eq 0 ]; then state[$1]=ok; else state[$1]=FAILED; fi
	printf '\n==== %s: %s after %.0f s (%.0f s of processors; %d s since the start)\n' "${title[$1]}" \
		"${state[$1]}" "${wall[$1]}" "${cpu[$1]}" "$SECONDS"
	cat "$sections/$1.log"
	[ "$2" -eq 0 ] || printf -- '---- %s FAILED. Again: %s\n' "${title[$1]}" "${again[$1]}"
	rm -rf "$sections/$1.tmp"
}

# Sets `ready` to the first of "$@" that waits for nothing, or to none. What needs a section that failed
# is left out, and fails the run with it.
next_section() {
	local name need blocked
	ready=
	for name; do
		[ "${state[$name]}" = waiting ] || continue
		blocked=
		for need in ${needs[$name]}; do
			case ${state[$need]} in
			ok) ;;
			FAILED | "left out") state[$name]="left out" ;;
			*) blocked=yes ;;
			esac
		done
		if [ "${state[$name]}" = waiting ] && [ -z "$blocked" ]; then
			ready=$name
			return
		fi
	done
}

run_sections() { # LANES FUNCTION...
	local lanes=$1 n_running=0 taken=0 pid status ready name waits=()
	shift
	ran+=("$@")
	for name; do [ "${lane[$name]}" -eq 1 ] || waits+=("$name"); done
	while :; do
		while :; do
			next_section "${waits[@]}"
			[ -n "$ready" ] || [ "$taken" -ge "$lanes" ] || next_section "$@"
			[ -n "$ready" ] || break
			start_section "$ready"
			n_running=$((n_running + 1))
			taken=$((taken + lane[$ready]))
		done
		[ "$n_running" -gt 0 ] || break
		status=0
		wait -n -p pid || status=$?
		n_running=$((n_running - 1))
		taken=$((taken - lane[${runs_as[$pid]}]))
		end_section "${runs_as[$pid]}" "$status"
	done
}

sections_verdict() {
	local name ok failed n_ok=0 n_bad=0 n_sections=0 bad=()
	printf '\n%-52s %7s %7s  %s\n' section "wall s" "CPU s" "tests"
	for name in "${ran[@]}"; do
		[ "${state[$name]}" = ok ] || bad+=("$name")
		n_sections=$((n_sections + 1))
		printf '%-52s %7.0f %7.0f  ' "${title[$name]}" "${wall[$name]:-0}" "${cpu[$name]:-0}"
		read -r ok failed <<<"${counts[$name]:-0 0}"
		[ $((ok + failed)) -eq 0 ] || printf '%d passed, %d failed' "$ok" "$failed"
		# a section that fails without a test that does counts as one
		[ "${state[$name]}" = ok ] || [ "$failed" -gt 0 ] || failed=1
		n_ok=$((n_ok + ok))
		n_bad=$((n_bad + failed))
		[ "${state[$name]}" = ok ] || printf '  %s' "${state[$name]}"
		printf '\n'
	done
	printf '%-52s %7d %7.0f\n' "all" "$SECONDS" "$(printf '%s\n' "${cpu[@]}" | awk '{ s += $1 } END { print s }')"
	for name in "${bad[@]}"; do
		printf '%s: %s. Again: %s\n' "${state[$name]}" "${title[$name]}" "${again[$name]}"
	done
	echo
	echo "$((n_sections - ${#bad[@]})) of $n_sections sections are well: $n_ok passed, $n_bad failed"
	[ ${#bad[@]} -eq 0 ]
}
ran=()
