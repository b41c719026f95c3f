#!/bin/bash
# Let fail what can fail, and see that nothing is lost. `sample`: some of the points of failure, in
# a minute and a half; `sites`: each place in the program that allocates or calls the system, and
# 1 000 moments to be killed at; `every`: every single call, which takes days.
# usage: run.sh BUILD_FOLDER sample|sites|every [KIND]...
#        run.sh BUILD_FOLDER N_POINTS power [CASE]...    the power fails at so many points
# What is random follows from FAULT_SEED; without it from the day, so that each day tries other points
# and a day always the same. What fails is repeated by the seed that is printed.
set -uo pipefail
build=$(cd "$1" && pwd) || exit 2
how=${2-}
shift 2 # what is left are the kinds of fault that are wanted
wanted=$*
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
# A sanitizer wants to be the first library, which the injector is; it then still sees what is freed,
# kept and overrun.
export ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0:allocator_may_return_null=1
# Thousands of short runs: in memory where that has room (a container gives 64 MB).
shm_kb=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
work=
[ "${shm_kb:-0}" -lt 1000000 ] || work=$(mktemp -d -p /dev/shm 2>/dev/null)
[ -n "$work" ] || work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# script(1) starts what SHELL names; a dumb terminal gets no bar.
export LC_ALL=C TZ=UTC TERM=xterm SHELL=/bin/sh USER=tester HOME=$work XDG_DATA_HOME=$work/share
export LEMNOS_NOW=2026-01-01T00:00:00Z
unset LEMNOS_KB LEMNOS_DATADIR LEMNOS_USER LD_PRELOAD
export FAULT_SEED=${FAULT_SEED:-$(date -u +%Y%m%d)}
passed=0
failed=0

count() { # the last line of what a part prints, "N passed, M failed", and its exit status
	if [[ $(tail -1 "$work/part.log") =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
		passed=$((passed + BASH_REMATCH[1]))
		failed=$((failed + BASH_REMATCH[2]))
	elif [ "$1" -ne 0 ]; then
		failed=$((failed + 1))
	fi
}

finish() {
	[ "$failed" -eq 0 ] || echo "the same points again: FAULT_SEED=$FAULT_SEED bash tests/faults/run.sh ${build#"$tree"/} $how${wanted:+ $wanted}"
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
	exit
}

sweep() { # KIND POINTS [CASE]...
	"$build/tests/faults/fault_sweep" "$build/lemnos" "$build/tests/faults/fault_inject.so" "$@" \
		2>&1 | tee "$work/part.log"
	count "${PIPESTATUS[0]}"
}

power() { # N_POINTS [CASE]...
	"$build/tests/faults/power_sweep" "$build/lemnos" "$build/tests/faults/fault_inject.so" "$@" \
		2>&1 | tee "$work/part.log"
	count "${PIPESTATUS[0]}"
}

cd "$work" || exit 2
head -40 "$tree/data/runs/simulated_sp2like.csv" >runs.csv
awk -F, -v OFS=, 'NR == 1 { print; next } { for (i = 0; i < 20; i++) { $13 += 1e-5; print } }' \
	"$tree/data/runs/simulated_iblike.csv" >many.csv # 11 400 runs
cp "$tree/data/runs/pingpong_sp2like.csv" pingpong.csv
cp "$tree/tests/fixtures/formats/sweep3d/sweep3d.out" .
head -4 "$tree/data/runs/simulated_iblike.csv" | cut -d , -f 4-12 >questions.csv

{
	"$build/lemnos" init --kb new.kb && "$build/lemnos" ingest runs.csv --app sweep3d --kb new.kb &&
		bash "$here/old_base.sh" new.kb 1 old.kb
} >made 2>&1 || cat made

if [[ $how =~ ^[0-9]+$ && ${1-} = power ]]; then
	power "$how" "${@:2}"
	finish
fi
case $how in
sample) points=(alloc 50 io 25 full 10 full-from 10 lock 5 kill 10 time 20 interrupt 4) ;;
sites) points=(alloc sites io sites full sites full-from sites lock sites kill sites time 200 interrupt 50) ;;
every) points=(alloc every io every full every full-from every lock every kill every time 200 interrupt 50) ;;
*)
	echo "usage: ${0##*/} BUILD_FOLDER sample|sites|every [KIND]... | N_POINTS power [CASE]..." >&2
	exit 2
	;;
esac
for ((i = 0; i < ${#points[@]}; i += 2)); do
	[[ $# -eq 0 || " $* " == *" ${points[i]} "* ]] || continue
	cases=()
	[ "${points[i]}" != time ] || cases=(ingest-many mine accept refuse migrate)
	[ "${points[i]}" != interrupt ] || cases=(ingest-many mine recommend merge backup)
	sweep "${points[i]}" "${points[i + 1]}" "${cases[@]}"
done
[ $# -eq 0 ] || finish
power 100

for part in surroundings permissions terminal processes old_schemas damaged_pages; do
	mkdir "$work/$part"
	(cd "$work/$part" && bash "$here/$part.sh" "$build" "$how") 2>&1 | tee "$work/part.log"
	count "${PIPESTATUS[0]}"
done

finish
