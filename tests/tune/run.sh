#!/bin/bash
# liblemnos_tune and the halo solver under each MPI that is here: every implementation's halo to the
# byte, agreement, errors; one answer of the solver for all implementations; the log and `lemnos ingest`.
# What is not installed is skipped, and said so.
# usage: run.sh BUILD_FOLDER
# TUNE_PROCESSES="8 12": on so many besides 1 and 2
set -u
# TUNE_QUICK=1: a few shapes on two processes of the first MPI, for `make check`
processes=${TUNE_PROCESSES-3 4 6}
build=$(cd "$1" && pwd) || exit 2
tree=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
case ${TMPDIR-} in *[[:blank:]]*) unset TMPDIR ;; esac
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset LEMNOS_KB LEMNOS_DATADIR
export XDG_DATA_HOME=$work LC_ALL=C
# What Open MPI refuses unless told: root, more processes than processors. Leaks at its exit are its own.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export ASAN_OPTIONS=detect_leaks=0

n_passed=0 n_failed=0
verdict() { # NAME GOT WANTED
	if [ "$2" = "$3" ]; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		printf '  FAIL  %s\n        got    %s\n        wanted %s\n' "$1" "$2" "$3"
		head -n 20 err | sed 's/^/        /'
	fi
}
run() { # COMMAND...: for ten minutes at most; what it says on stderr is shown if the answer is wrong
	timeout -s KILL 600 "$@" </dev/null 2>err
}
# Without its place on the command line: which numbers passed does not matter, which failed does.
tests() { # MPI PROCESSES QUICK
	run "mpirun$suffix" -np "$2" "$build/tune/tests-$1" all "$3" |
		sed -n 's/.*passed, \([0-9]* failed, .*\)/\1/p'
}
# The answer of the solver is its last two columns: residual, checksum.
halo() { # MPI PROCESSES ARGUMENT...
	run "mpirun$suffix" -np "$2" "$build/tune/halo-$1" --it_g 13 --jt_g 11 --iterations 25 "${@:3}" |
		awk -F, 'NR == 2 { print $(NF-1), $NF }'
}

functions="IsendIrecv_aao IsendIrecv_pair SendIrecv_aao SendIrecv_pair IsendIrecv_aao_pack
	IsendIrecv_pair_pack SendIrecv_aao_pack SendIrecv_pair_pack SendRecv_pair Sendrecv_pair
	SendRecv_pair_pack Sendrecv_pair_pack WinfencePut_aao WinfenceGet_aao PostStartPut_aao
	PostStartGet_aao WinfencePut_pair WinfenceGet_pair PostStartPut_pair PostStartGet_pair"

solver() { # MPI: the same bits for all implementations, logics, and with overlap
	local one f
	one=$(halo "$1" 4 --kt_g 9 --method cg --width 2 --function IsendIrecv_aao)
	for f in $functions; do
		verdict "$1: CG by $f, overlapped" \
			"$(halo "$1" 4 --kt_g 9 --method cg --width 2 --overlap 1 --function "$f")" "$one"
	done
	for f in brute hypothesis elimination; do
		verdict "$1: CG by $f" "$(halo "$1" 4 --kt_g 9 --method cg --width 2 --tests 1 --logic "$f")" "$one"
	done
	one=$(halo "$1" 1 --width 3 --periodic 1)
	verdict "$1: Jacobi in 2-D on 3 processes" "$(halo "$1" 3 --width 3 --periodic 1 | cut -d ' ' -f 2)" "${one##* }"
	verdict "$1: Jacobi in 2-D on 2 x 2, overlapped" \
		"$(halo "$1" 4 --width 3 --periodic 1 --overlap 1 | cut -d ' ' -f 2)" "${one##* }"
}

# From the log to the knowledge base, from its predictions to the next start: the commands of the manual page.
log() { # MPI
	local circle
	rm -f tune.csv candidates.csv
	for kt in 4 8 16; do
		run "mpirun$suffix" -np 2 "$build/tune/halo-$1" --it_g 12 --jt_g 10 --kt_g $kt --logic brute --tests 1 \
			--log tune.csv >/dev/null
	done
	circle=$(sed -n '/^lemnos /,/^.Ed/p' "$tree/docs/man/lemnos_tune.3" | grep -v '^.Ed' |
		sed 's/\\-/-/g; s/ *\\e$/ \\/' | sed "s|^lemnos|'$build/lemnos'|")
	printf '%s\n' "$circle" | sed '/mine$/,$d' >ingest.sh
	printf '%s\n' "$circle" | sed -n '/mine$/,$p' >predict.sh
	export LEMNOS_KB="$work/$1.kb"
	verdict "$1: its log is taken by ingest" \
		"$(run sh ingest.sh | sed -n 's/.*rows, \([0-9]* taken\).*/\1/p')" "60 taken"
	run "mpirun$suffix" -np 2 "$build/tune/halo-$1" --it_g 12 --jt_g 10 --kt_g 12 --iterations 1 \
		--candidates candidates.csv >/dev/null
	run sh predict.sh >/dev/null
	verdict "$1: the base predicts all 20" "$(awk -F, 'NR > 1 && $29 > 0 && $30 > 0' predicted.csv | wc -l)" 20
	verdict "$1: a start from its predictions" \
		"$(halo "$1" 2 --kt_g 12 --history predicted.csv)" "$(halo "$1" 2 --kt_g 12 --function IsendIrecv_aao)"
	unset LEMNOS_KB
}

# COMPILER STANDARD: the public header alone
header() {
	verdict "lemnos_tune.h by $1 as $2" "$(echo '#include "tune/lemnos_tune.h"' |
		timeout 600 "$1" -I"$tree" -x "${2%%[0-9]*}" -std="$2" -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
			-Werror -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -fsyntax-only - 2>err; echo $?)" 0
}

for mpi in openmpi mpich default; do
	suffix=.$mpi
	[ $mpi != default ] || suffix=
	if ! [ -x "$build/tune/tests-$mpi" ]; then
		[ $mpi = default ] || echo "  skipped: tune under $mpi, no mpicc.$mpi"
		continue
	fi
	if [ -n "${TUNE_QUICK-}" ]; then
		verdict "$mpi, 2 processes, a few shapes" "$(tests $mpi 2 quick)" "0 failed, 0 unavailable"
		break
	fi
	# Open MPI 4.1 makes no windows where there is one process only: 8 of 20 are not available.
	verdict "$mpi, 1 process" "$(tests $mpi 1 all | sed 's/216 una/0 una/')" "0 failed, 0 unavailable"
	verdict "$mpi, 2 processes" "$(tests $mpi 2 all)" "0 failed, 0 unavailable"
	for n in $processes; do
		quick=quick
		[ "$n" -gt 4 ] || quick=all
		verdict "$mpi, $n processes" "$(tests $mpi "$n" $quick)" "0 failed, 0 unavailable"
	done
	solver $mpi
	[ ! -x "$build/lemnos" ] || log $mpi
	! command -v "mpicc$suffix" >/dev/null || header "mpicc$suffix" c11
	! command -v "mpicxx$suffix" >/dev/null || header "mpicxx$suffix" c++11
done

echo "tune: $n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
