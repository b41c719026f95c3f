#!/bin/bash
# Do the unit tests of a room notice when its sources change a little? Draw mutants, hold the room's
# tests against each, say which ones pass.
# usage: run.sh ROOM N SEED BUILD SANITIZED_BUILD REACHED_BUILD     environment: SLOW_S, see below
#   Rooms inside ROOM belong to it, sources and tests. N mutants are judged, in the random order that
#   SEED decides. One that does not compile does not count, nor one that compiles to the code of the
#   original or of a mutant before: Papadakis et al., "Trivial compiler equivalence", ICSE 2015. A
#   mutant is killed when a test fails, crashes or takes several times as long as it should; first
#   tests of the plain build, for all mutants, then those of the one with sanitizers, which take most of
#   the time, for what is left (broken off, the results are a lower bound). Tests that need
#   more than SLOW_S seconds of processor time are left out, and so are, of each mutant, the tests that
#   do not execute its line: REACHED_BUILD has beside each test what reached.sh says of it.
#   Writes BUILD/mutation/ROOM-SEED.tsv, one line a mutant; the report goes to standard output.
#   STRETCH=I/K: every K-th mutant, from the I-th on, into ROOM-SEED-I.tsv, so that K runs can go side by
#   side; `report.sh FILE.tsv...` then reports of all.
#   AGAIN=FILE.tsv: only what survived there, after tests were added; writes FILE.tsv again.
# A changed source is never a file: the compiler reads it from a pipe.
set -uo pipefail
shopt -s nullglob
room=$1 n_wanted=$2 seed=$3 builds=("$4" "$5") reached=$6
slow_s=${SLOW_S:-5}
here=$(dirname "$0")
mutate=$4/tests/mutation/mutate
again=${AGAIN-}
stretch=${STRETCH-1/1}
results=$4/mutation/$room-$seed${STRETCH+-${stretch%/*}}.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir -p "${results%/*}"
# A mutant may ask for all memory there is, or leave files behind.
export ASAN_OPTIONS=hard_rss_limit_mb=2000:allocator_may_return_null=1 TMPDIR=$work/tmp

# I LIMIT_S PROGRAM: of build I; its processor seconds go to WORK/seconds. Status 137: it takes longer.
# Processor time, as the machine may be busy otherwise; a test that sleeps is stopped in the end, too.
run_test() {
	mkdir -p "$TMPDIR"
	local status=0 TIMEFORMAT=%U
	{
		time { (
			# address sanitizers reserve all there is, and have a limit of their own
			if [ "$1" -eq 1 ]; then
				export POINTS=every
			else
				ulimit -v 4000000
			fi
			ulimit -t "$2"
			exec timeout -s KILL 300 "$3" >"$work/said" 2>&1
		) || status=$?; }
	} 2>"$work/seconds"
	rm -rf "$TMPDIR"
	case $status in 137 | 152) return 137 ;; *) return $status ;; esac
}

# I TEST: its processor seconds into TEST.seconds, "SECONDS LIMIT", once for each build of the test
measure() {
	local known=$2.seconds seconds limit status=0
	if [ "$known" -nt "$2" ]; then
		read -r seconds limit <"$known"
		if [ "${seconds%.*}" -lt "$limit" ] || [ "$limit" -ge "$slow_s" ]; then
			return 0
		fi
	fi
	run_test "$1" "$slow_s" "$2" || status=$?
	case $status in
	0) echo "$(tail -n 1 "$work/seconds") $slow_s" >"$known" ;;
	137) echo "$slow_s $slow_s" >"$known" ;;
	*)
		echo "$2 fails as it is:" >&2
		cat "$work/said" >&2
		return 1
		;;
	esac
}

# I: the tests of build I into WORK/I.tests, "SECONDS TEST", fastest first
time_tests() {
	local i=$1 test seconds
	for test in "${builds[i]}/tests/unit/$room"/{,*/}test_*; do
		[ -x "$test" ] && [ ! -d "$test" ] || continue
		measure "$i" "$test" || return 1
		read -r seconds _ <"$test.seconds"
		if [ "${seconds%.*}" -ge "$slow_s" ]; then
			echo "left out, takes more than $slow_s s: $test" >&2
		else
			echo "$seconds $test"
		fi
	done | sort -n >"$work/$i.tests"
}

# Into WORK/reached: "FILE:LINE TEST" where the test executes the line, "FILE:LINE -" for each line with code
collect_reached() {
	awk '{
		test = FILENAME
		gsub(/.*\/|\.reached$/, "", test)
		row = $1 " " ($2 == "yes" ? test : "-")
		if (!seen[row]++)
			print row
	}' "$reached/tests/unit/$room"/{,*/}test_*.reached </dev/null >"$work/reached"
}

# I FILE LINE: the tests that execute the line, "SECONDS TEST"; the one named after the file first.
# A line without code of its own (of a table, the middle of a statement): those that execute the file.
tests_of() {
	local i=$1 place="$2:$3 " name time test
	name=$(basename "$2" .c)
	grep -qF "$place" "$work/reached" || place="$2:"
	grep -F "$place" "$work/reached" | cut -d ' ' -f 2 | sort -u >"$work/names"
	while read -r time test; do
		grep -qxF "${test##*/}" "$work/names" || continue
		case ${test##*/} in
		"test_$name") echo "0 $time $test" ;;
		*) echo "1 $time $test" ;;
		esac
	done <"$work/$i.tests" | sort -s -n -k 1,1 | cut -d ' ' -f 2-
}

# I FILE OBJECT: compile what standard input says FILE to be
compile() {
	local command
	command=$(cat "${builds[$1]}/mutation-${room//\//-}.compile")
	# shellcheck disable=SC2086 # a command with its arguments
	{ printf '# 1 "%s"\n' "$2"; cat; } | $command -x c -c -o "$3" - 2>"$work/compiler_said"
}

# I FILE LINE: the first test that fails with WORK/mutant.o goes to standard output; false if none does
killed_by() {
	local i=$1 time test command status
	command=$(cat "${builds[i]}/mutation-${room//\//-}.link")
	tests_of "$i" "$2" "$3" >"$work/these"
	while read -r time test; do
		# The mutant stands before the archives, which then have nothing to add of this file.
		# shellcheck disable=SC2086
		${command%@OBJECTS@*} "${builds[i]}/obj/${test#"${builds[i]}"/}.o" "$work/mutant.o" \
			${command#*@OBJECTS@} -o "$work/test" 2>"$work/linker_said" || {
			cat "$work/linker_said" >&2
			exit 1
		}
		status=0
		run_test "$i" $((3 + 5 * ${time%.*})) "$work/test" || status=$?
		case $status in
		0) ;;
		137) echo "${test##*/} (time)" && return 0 ;;
		*) echo "${test##*/}" && return 0 ;;
		esac
	done <"$work/these"
	return 1
}

# FILE NUMBER LINE: how the mutant ended with the plain tests, and by which; nothing if it does not count
judge() {
	local file=$1 test code original=$work/${1//\//_}.o
	[ -f "$original" ] || compile 0 "$file" "$original" <"$file" || exit 1
	"$mutate" make "$file" "$2" | compile 0 "$file" "$work/mutant.o" || return 0
	cmp -s "$work/mutant.o" "$original" && return 0
	code=$(md5sum <"$work/mutant.o")
	grep -qF "$code" "$work/seen" && return 0
	echo "$code" >>"$work/seen"
	if test=$(killed_by 0 "$file" "$3"); then
		printf 'killed\t%s\n' "$test"
	else
		printf 'survived\t-\n'
	fi
}

# FILE NUMBER LINE: how one that survived them ended with sanitizers
judge_sanitized() {
	local test
	"$mutate" make "$1" "$2" | compile 1 "$1" "$work/mutant.o" || exit 1
	if test=$(killed_by 1 "$1" "$3"); then
		printf 'killed by sanitizers\t%s\n' "$test"
	else
		printf 'survived\t-\n'
	fi
}

# The mutants that are to be judged go to WORK/mutants, what is known already to the results.
if [ -n "$again" ]; then
	grep -F "$(printf '\tsurvived\t')" "$again" | cut -f 1-6 >"$work/mutants"
	grep -vF "$(printf '\tsurvived\t')" "$again" >"$work/known"
else
	"$mutate" list "$seed" "$room"/{,*/}*.c |
		awk -v i="${stretch%/*}" -v k="${stretch#*/}" '(NR - i) % k == 0' >"$work/mutants"
	: >"$work/known"
fi
[ -z "$again" ] || results=$again.new
collect_reached
time_tests 0 || exit 1
: >"$work/seen"
n_judged=0
cat "$work/known" >"$results"
while IFS= read -r row <&3 && [ $n_judged -lt "$n_wanted" ]; do
	IFS=$'\t' read -r file number line _ <<<"$row"
	ended=$(judge "$file" "$number" "$line") || exit 1
	[ -n "$ended" ] || continue
	n_judged=$((n_judged + 1))
	printf '%s\t%s\n' "$row" "$ended" >>"$results"
done 3<"$work/mutants"

time_tests 1 || exit 1
cp "$results" "$work/plain"
while IFS= read -r row <&3; do
	[ "$(cut -f 7 <<<"$row")" = survived ] || continue
	IFS=$'\t' read -r file number line _ <<<"$row"
	ended=$(judge_sanitized "$file" "$number" "$line") || exit 1
	grep -vxF "$row" "$results" >"$work/others"
	{ cat "$work/others" && printf '%s\t%s\n' "$(cut -f 1-6 <<<"$row")" "$ended"; } >"$results"
done 3<"$work/plain"
[ -z "$again" ] || mv "$results" "$again"
bash "$here/report.sh" "${again:-$results}"
