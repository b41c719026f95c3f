#!/bin/sh
# What choosing an implementation at run time costs and gains: the experiment of Gabriel and Huang
# (HIPS 2007) with kernels/halo, each implementation alone and each way to choose; simulated on two
# invented networks, where SimGrid is here, and measured on this machine, where MPI is. Prints the
# section of docs/evaluation.md.
# Time is that of the iterations and what timing messages took when the request was made.
# TUNE_SEED: of the random share of simulated times [0].
# TUNE_RUNS: a file of such runs, made before. TUNE_SIMULATED_ONLY=1: nothing on this machine;
# TUNE_MEASURED_ONLY=1: nothing else.
# usage: [TUNE_SIZES="64 128"] [TUNE_ITERATIONS=200] [TUNE_JOBS=2] [TUNE_NETWORKS=InfiniBand-like] [TUNE_PROCESSES=4] tune.sh BUILD_FOLDER WORK_FOLDER
set -eu
build=$(cd "$1" && pwd)
work=$2/tune
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$work"
sizes=${TUNE_SIZES:-64 128}
iterations=${TUNE_ITERATIONS:-200}
jobs=${TUNE_JOBS:-$(nproc)} n_jobs=0
processes=${TUNE_PROCESSES:-4}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

functions="IsendIrecv_aao IsendIrecv_pair SendIrecv_aao SendIrecv_pair IsendIrecv_aao_pack
	IsendIrecv_pair_pack SendIrecv_aao_pack SendIrecv_pair_pack SendRecv_pair Sendrecv_pair
	SendRecv_pair_pack Sendrecv_pair_pack WinfencePut_aao WinfenceGet_aao PostStartPut_aao
	PostStartGet_aao WinfencePut_pair WinfenceGet_pair PostStartPut_pair PostStartGet_pair"

# platform NAME BANDWIDTH LATENCY: 32 nodes of 1 Gflop/s on one switch
platform() {
	cat >"$work/$1.xml" <<-END
		<?xml version='1.0'?>
		<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
		<platform version="4.1">
		  <cluster id="c" prefix="node" suffix="" radical="0-31" speed="1Gf" bw="$2" lat="$3"/>
		</platform>
	END
}
platform InfiniBand-like 1.25GBps 2us
platform Ethernet-like 125MBps 25us
seq 0 31 | sed 's/^/node/' >"$work/hosts"

simulated() { # PLATFORM ARGUMENT...
	on=$1
	shift
	case $on in
	Ethernet-like) overhead=0:1e-5:8e-10 ;;
	*) overhead=0:1e-6:0 ;;
	esac
	(cd "$work" && smpirun -quiet -np 32 -platform "$on.xml" -hostfile hosts --log=root.thresh:error \
		--cfg=smpi/simulate-computation:no --cfg=smpi/async-small-thresh:65536 --cfg=smpi/coll-selector:mpich \
		--cfg=smpi/os:"$overhead" --cfg=smpi/ois:"$overhead" --cfg=smpi/or:"$overhead" \
		"$build/kernels/halo_smpi" --wg 2e-8 --jitter 0.05 --seed "${TUNE_SEED:-0}" --compute 0 "$@")
}
# Three times, the middle one. More processes than processors wait for each other most of the time, which
# is why there are not 32.
measured() { # "here" ARGUMENT...
	shift
	for _ in 1 2 3; do
		(cd "$work" && mpirun -np "$processes" "$build/kernels/halo" "$@" | sed -n 2p)
	done | sort -t , -k 18g | sed -n 2p
}

# one HOW PLATFORM SIZE LABEL ARGUMENT...: platform, size, label, function, tests, seconds
one() {
	how=$1 where=$2 kt=$3 label=$4
	shift 4
	$how "$where" --it_g 128 --jt_g 128 --kt_g "$kt" --iterations "$iterations" "$@" | tail -n 1 |
		awk -F, -v OFS=, -v w="$where" -v s="128 x 128 x $kt" -v l="$label" \
			'{ print w, s, l, $13, $14, $18 + $19 }' >>"$work/runs.csv"
}

# What is known beforehand is brute force on a problem half as high as the first.
experiment() { # HOW PLATFORM
	rm -f "$work/known.csv"
	$1 "$2" --it_g 128 --jt_g 128 --kt_g $((${sizes%% *} / 2)) --iterations "$iterations" --logic brute \
		--log known.csv >/dev/null
	for size in $sizes; do
		rm -f "$work/now.csv"
		for f in $functions; do
			if [ "$1" = measured ]; then
				one "$1" "$2" "$size" fixed --function "$f"
				continue
			fi
			# Simulated times do not depend on what else runs.
			one "$1" "$2" "$size" fixed --function "$f" &
			n_jobs=$((n_jobs + 1))
			[ $((n_jobs % jobs)) -ne 0 ] || wait
		done
		wait
		one "$1" "$2" "$size" "brute force" --logic brute
		one "$1" "$2" "$size" "performance hypothesis" --logic hypothesis
		one "$1" "$2" "$size" "elimination: nothing known" --log now.csv
		one "$1" "$2" "$size" "elimination: nothing known or asked" --network 0
		one "$1" "$2" "$size" "elimination: smaller problem known" --history known.csv
		one "$1" "$2" "$size" "elimination: its last start known" --history now.csv
	done
	rm -f "$work/known.csv" "$work/now.csv"
}

[ -n "${TUNE_RUNS-}" ] || : >"$work/runs.csv"
if [ -n "${TUNE_RUNS-}" ]; then
	cp "$TUNE_RUNS" "$work/runs.csv"
elif [ -z "${TUNE_MEASURED_ONLY-}" ] && command -v smpirun >/dev/null && [ -x "$build/kernels/halo_smpi" ]; then
	for network in ${TUNE_NETWORKS:-InfiniBand-like Ethernet-like}; do
		experiment simulated "$network"
	done
fi
if [ -x "$build/kernels/halo" ] && [ -z "${TUNE_SIMULATED_ONLY-}${TUNE_RUNS-}" ]; then
	experiment measured here
fi

cat <<END
## Communication chosen at run time

The experiment of Gabriel and Huang (HIPS 2007), by \`tests/bench/tune.sh\`: \`kernels/halo\`, $iterations iterations of
Jacobi in 3-D, each of the 20 implementations of \`liblemnos_tune\` alone, and each way to choose one while the
program runs. *Tests* are iterations spent on the choice, *loss* is the total time over that of the best
implementation alone; what elimination spends on asking the network counts. Simulated are 32 processes on 32 nodes
(SimGrid), 20 ns a cell, up to 5 % more by chance in each iteration: *InfiniBand-like* has 1.25 GB/s, 2 us a link and
1 us a call, *Ethernet-like* 125 MB/s, 25 us, and
10 us and 0.8 ns per byte a call. SimGrid gives derived datatypes for nothing, packing costs 8 GB/s there, so these
runs say nothing about the two against each other. The aim is a loss of at most 2 % where brute force loses 10 % or
more; [notes](evaluation_notes.md#communication-chosen-at-run-time) say where it is met.

END
if grep -q '^here,' "$work/runs.csv"; then
	cat <<-END
		*Here* are $processes processes of Open MPI on this machine ($(nproc) processors, shared with other work), the
		middle of three runs. Differences of some ten percent are noise: see how the best alone compares with the same
		function chosen.

	END
fi
awk -F, -f "$here/tune_table.awk" "$work/runs.csv"
