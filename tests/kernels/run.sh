#!/bin/bash
# The programs of kernels/: one answer for every decomposition and blocking, under MPI and under
# SimGrid's SMPI; and what `lemnos model run smpi` says beside the model that has no approximation.
# What is not installed is skipped, and said so.
# usage: run.sh BUILD_FOLDER
set -u
build=$(cd "$1" && pwd) || exit 2
tree=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
case ${TMPDIR-} in *[[:blank:]]*) unset TMPDIR ;; esac # smpirun takes a blank for the end of a name
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset LEMNOS_KB LEMNOS_DATADIR
export XDG_DATA_HOME=$work LC_ALL=C
# What Open MPI refuses unless told: root, more processes than processors, containers.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none

n_passed=0 n_failed=0
verdict() { # NAME GOT WANTED
	if [ "$2" = "$3" ]; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		printf '  FAIL  %s\n        got    %s\n        wanted %s\n' "$1" "$2" "$3"
		sed 's/^/        /' err
	fi
}
run() { # COMMAND...: for ten minutes at most; what it says on stderr is shown if the answer is wrong
	timeout -s KILL 600 "$@" </dev/null 2>err
}

# 11 x 10 x 17 cells: nothing divides them. Nine iterations: two of them with flux fix-ups.
on_mpi() { run mpirun -np "$1" "$build/kernels/wavefront" "${@:2}"; }
on_smpi() {
	run smpirun -quiet -np "$1" -platform "$work/platform.xml" -hostfile "$work/hosts" \
		--log=root.thresh:error "$build/kernels/wavefront_smpi" "${@:2}"
}
# The answer is the last three columns: flux change, fix-ups, checksum.
wavefront() { # ON NPE_I NPE_J MK MMI
	"$1" $(($2 * $3)) --it_g 11 --jt_g 10 --kt 17 --npe_i "$2" --npe_j "$3" --mk "$4" \
		--mmi "$5" --iterations 9 | awk -F, 'END { print $(NF-2), $(NF-1), $NF }'
}
task() { # MK MMI
	run "$build/kernels/sweep_task" 11 10 17 "$1" "$2" 6 9 | awk -F, 'END { print $NF }'
}

wanted=$(task 17 6)
verdict "sweep_task, blocks of 1 plane and angle" "$(task 1 1)" "$wanted"
verdict "sweep_task, a last block of 2 planes" "$(task 5 2)" "$wanted"

verdict "sweep_task, several requests" "$(run "$build/kernels/sweep_task" 11 10 17 1 1 6 9 11 10 17 5 2 6 9 |
	awk -F, 'NR > 1 { print $NF }' | xargs)" "$wanted $wanted"

decompositions() { # ON NAME
	local one
	one=$(wavefront "$1" 1 1 17 6)
	verdict "$2: one process, and sweep_task" "${one##* }" "$wanted"
	verdict "$2: 2 x 1, a last block of 2 planes" "$(wavefront "$1" 2 1 5 3)" "$one"
	verdict "$2: 1 x 2, angles one by one" "$(wavefront "$1" 1 2 7 1)" "$one"
	verdict "$2: 3 x 1, one block" "$(wavefront "$1" 3 1 17 6)" "$one"
	verdict "$2: 2 x 2, uneven parts" "$(wavefront "$1" 2 2 4 2)" "$one"
	verdict "$2: 1 x 3, planes one by one" "$(wavefront "$1" 1 3 1 6)" "$one"
}

# Is t the model's, but for up to this share more?
near() { awk -v t="$1" -v model="$2" -v more="$3" \
	'BEGIN { print (t >= model && t <= model * (1 + more)) ? "near" : t " against " model }'; }

# Cachegrind has the source of the iteration, too, which is made outside of what is recorded.
tasks() {
	local block=(--it 8 --jt 8 --kt 4 --mk 2 --mmi 3 --mm 3) trace simulated
	run sh "$tree/tools/record_trace.sh" sweep-trace.zst 8 8 4 2 3 3
	sed 's/recorded = .*/recorded = { it = 8; jt = 8; kt = 4; mk = 2; mmi = 3; mm = 3; };/
		s/cell_angles = [0-9]*/cell_angles = 6144/' "$tree/data/tasks/sweep-trace.ted" >here.ted
	instructions() { run "$build/lemnos" model task "$1" "${block[@]}" --format csv |
		awk -F, 'NR == 2 { print $6 }'; }
	trace=$(instructions ./here.ted)
	simulated=$(instructions sweep-simulate)
	verdict "a trace recorded here has what cachegrind counts, but for the source" \
		"$(near "$simulated" "$trace" 0.1)" near
}
if command -v valgrind >/dev/null && command -v zstd >/dev/null; then
	tasks
else
	echo "  skipped: traces of sweep_task, no valgrind or no zstd (Debian: valgrind zstd)"
fi

# A launcher of the real programs that replaces what they say of times: messages of 6 us and 1 ns a byte
# one way, blocks of 4 ns a cell and 8 ns a line. So a busy machine changes no answer.
steady_mpirun() {
	cat >steady <<-'END'
		#!/bin/bash
		set -o pipefail
		more=()
		case $1 in */pingpong) more=(--max_bytes 65536 --repeats 2 --batch_us 1 --busy 100) ;; esac
		mpirun -np 2 "$@" "${more[@]}" | awk -F, -v OFS=, '
			$1 == "message_bytes" || $1 == "it" { print; messages = $1 != "it"; next }
			messages { $2 = 2 * (6 + 0.001 * $1); $3 = 1; $4 = $1 < 4096 ? 2 : 0.001 * $1; $5 = $1 >= 4096 }
			!messages { $9 = (4 + 8 / $1) * 1e-9 }
			{ print }'
	END
	chmod +x steady
}

# Sizes and columns; times of this machine decide nothing.
pingpongs() {
	run mpirun -np 3 "$build/kernels/pingpong" --max_bytes 100 --repeats 2 --pairs 1 --busy 100 \
		>pingpong.csv
	verdict "ping-pong: each size twice, of one pair on one node" \
		"$(awk -F, 'NR > 1 && $7 == 1 && $2 > 0 && $3 >= 0 && $4 >= 0 { n[$1 " " $8 " " $9]++ }
			END { for (k in n) if (n[k] == 2) print k }' pingpong.csv | sort -n | cut -d ' ' -f 1 | xargs)" \
		"1 2 3 4 6 8 12 16 24 32 48 64 96"
	run mpirun -np 1 "$build/kernels/pingpong" >/dev/null
	verdict "ping-pong: one process is refused" "$(grep -c 'needs two processes or more' err)" 1
	run mpirun -np 2 "$build/kernels/pingpong" --repeats 0 >/dev/null
	verdict "ping-pong: no repeats are refused" "$(grep -c 'repeats: needs a whole number from 1' err)" 1
	run mpirun -np 2 env HWLOC_SYNTHETIC='package:2 core:16 pu:2' "$build/kernels/pingpong" --max_bytes 1 \
		--repeats 1 --busy 100 >pingpong.csv
	verdict "ping-pong: two threads are one core" "$(cut -d , -f 12 pingpong.csv | xargs)" "cores 32"
	run mpirun -np 2 "$build/kernels/pingpong" --max_bytes 1 --repeats 1000000000 --busy 100 --limit_s 1 \
		>/dev/null
	verdict "ping-pong: it ends at its limit" "$? $(grep -c '^pingpong: stopped after 1 s, the limit' err)" "4 1"
	if grep -q '[1-9]' /proc/self/schedstat 2>/dev/null; then
		# one processor for two that never sleep: each waits for half of its time, whoever else computes
		run taskset -c "$(taskset -cp $$ | sed 's/.*[:,-] *//')" mpirun --bind-to none -np 2 \
			"$build/kernels/pingpong" --repeats 1000000000 --max_bytes 1 >/dev/null
		verdict "ping-pong: waiting for processors ends it" \
			"$? $(grep -c '^pingpong: stopped after .* waited for a processor' err)" "4 1"
	else
		echo "  skipped: ping-pong on a busy node, this Linux does not count how long processes wait"
	fi
	steady_mpirun
	run "$build/lemnos" calibrate --run --machine here --kb taken.kb --quiet --format json --out here.conf \
		--launch ./steady >here.json
	# 17 powers of two, and 15 sizes between them
	verdict "this machine is measured: costs inside a node, none between nodes" \
		"$? $(jq -c '[(.inside_node.segments | length), .inside_node.sizes, .between_nodes, .wg.blocks, .pairs]' here.json)" \
		'0 [1,32,null,18,"inside a node"]'
	verdict "its definition is one, with the cores of this machine" \
		"$(run "$build/lemnos" machines check here.conf) $(awk '/cores_per_node/ { print $3 }' here.conf)" \
		"here.conf: machine here is well defined $(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l);"
}

if command -v mpirun >/dev/null && [ -x "$build/kernels/wavefront" ]; then
	decompositions on_mpi "Open MPI"
	run mpirun -np 2 "$build/kernels/wavefront" --it_g 4 --jt_g 4 --kt 4 --npe_i 2 --npe_j 1 \
		>runs.csv
	verdict "its output is taken by ingest" \
		"$("$build/lemnos" ingest --machine here --kb taken.kb --quiet \
			runs.csv >/dev/null 2>err; echo $?)" 0
	pingpongs
else
	echo "  skipped: kernels/wavefront and pingpong, no MPI (Debian: libopenmpi-dev openmpi-bin)"
fi

cat >hosts <<-END
	$(for n in 0 1 2 3; do echo node$n; done)
END
cat >platform.xml <<-'END'
	<?xml version='1.0'?>
	<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
	<platform version="4.1">
	  <cluster id="c" prefix="node" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="1us"/>
	</platform>
END
# One iteration of 50^3 cells on so many of the paper's SP/2.
sp2() { # COMMAND... GRID
	run "$build/lemnos" model "${@:1:$#-1}" --machine sp2 --problem 50x50x50 --mk 10 --mmi 3 \
		--iterations 1 --wg 0.2us --grid "${!#}" --kb made.kb --quiet
}
seconds() { sp2 run "$1" --format csv "$2" | awk -F, 'NR == 2 { print $3 }'; }
free_bytes() { # MODEL MORE
	run "$build/lemnos" model run "$1" --machine sp2-g0 --problem 64x64x50 --mk 10 --mmi 3 --grid 4x4 \
		--iterations 1 --wg 0.2us --kb g0.kb --quiet --format csv |
		awk -F, -v more="$2" 'NR == 2 { printf "%.9f\n", $3 + more }'
}

simulations() {
	# An SP/2 of which bytes are free: no link has two messages at once, and SMPI adds to the
	# pipeline just two all-reduces of log2(16) steps, o + L + o = 69 us each: 552 us.
	sed 's/\(G_[a-z_]* = \)[0-9.]*/\10.0/; s/"sp2"/"sp2-g0"/' "$tree/data/machines/sp2.conf" >g0.conf
	run "$build/lemnos" machines add g0.conf --kb g0.kb --quiet >/dev/null
	verdict "free bytes: SMPI is the recurrence and its all-reduces, to the digit" \
		"$(free_bytes smpi 0)" "$(free_bytes pipeline 0.000552)"
	# With bytes that cost, links that two messages share add about a hundredth.
	verdict "no message blocks: SMPI says what the recurrence says" \
		"$(near "$(seconds smpi 4x4)" "$(seconds pipeline 4x4)" 0.02)" near
	# On 2 x 2 all do. SMPI holds the sender for the whole transfer, the model does not.
	verdict "messages block: SMPI says more, within a sixth" \
		"$(near "$(seconds smpi 2x2)" "$(seconds pipeline 2x2)" 0.167)" near
	verdict "a simulation repeats to the last digit" "$(seconds smpi 4x4)" "$(seconds smpi 4x4)"
	sp2 run smpi --store 4x4 >/dev/null
	verdict "a simulated run is stored as one" \
		"$(run "$build/lemnos" runs --kb made.kb --format csv | cut -d , -f 4 | sort | uniq -c | xargs)" \
		"1 simulated 1 source"
	run smpirun -quiet -np 2 -platform "$work/platform.xml" -hostfile "$work/hosts" --log=root.thresh:error \
		"$build/kernels/halo_smpi" --it_g 8 --jt_g 8 --method cg --compute 0 >said
	verdict "halo: conjugate gradients that compute nothing are refused" \
		"$(grep -c runtime_s said) $(grep -c 'conjugate gradients need the numbers' err)" "0 1"
	cp "$build/kernels/wavefront_smpi" "it's mine"
	verdict "a program of the user's, its computation measured" \
		"$(run "$build/lemnos" model run smpi --machine sp2 --problem 8x8x8 --grid 2x1 --mk 4 --mmi 3 \
			--program "it's mine" --args '--it_g {it_g} --jt_g 8 --kt 8 --npe_i {npe_i} --npe_j 1' \
			--kb none.kb --quiet | tail -n 1)" \
		"its computation measured here, times 1"
	cp "$build/kernels/sweep_task" .
	run "$build/lemnos" model run smpi --machine sp2 --problem 8x8x8 --grid 2x1 --mk 4 --mmi 3 \
		--program ./sweep_task --kb none.kb --quiet
	verdict "a program that smpicc did not compile" "$? $(cat err)" \
		"5 lemnos model: ./sweep_task is no program for SMPI: compile it with smpicc or smpif90"
}

# A platform whose costs are known, and none of SMPI's own: at both ends 3 and 2 us, on the wire 1 us
# inside a node and twice 5 us between nodes, 1 / (4 GB/s) and 1 / (1 GB/s) a byte, sends of 16 KiB and
# more waiting. SMPI sends 16 bytes more with each message: 16 G is what L may be larger by, 4 and 16 ns.
calibrated() {
	cat >known.xml <<-'END'
		<?xml version='1.0'?>
		<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
		<platform version="4.1">
		  <config>
		    <prop id="smpi/async-small-thresh" value="16384"/>
		    <prop id="smpi/send-is-detached-thresh" value="16384"/>
		    <prop id="smpi/os" value="0:3e-06:0"/>
		    <prop id="smpi/ois" value="0:3e-06:0"/>
		    <prop id="smpi/or" value="0:2e-06:0"/>
		    <prop id="smpi/lat-factor" value="0:1"/>
		    <prop id="smpi/bw-factor" value="0:1"/>
		    <prop id="smpi/simulate-computation" value="no"/>
		    <prop id="smpi/wtime" value="0"/>
		    <prop id="network/TCP-gamma" value="0"/>
		    <prop id="network/weight-S" value="0"/>
		    <prop id="network/crosstraffic" value="no"/>
		  </config>
		  <cluster id="c" prefix="node" suffix="" radical="0-1" core="2" speed="1Gf" bw="1GBps" lat="5us"
		    loopback_bw="4GBps" loopback_lat="1us" sharing_policy="SPLITDUPLEX"/>
		</platform>
	END
	printf 'node0\nnode0\nnode1\nnode1\n' >two
	run "$build/lemnos" init --kb known.kb --quiet >/dev/null
	run "$build/lemnos" calibrate --run --machine known --kb known.kb --quiet --format json --out known.conf \
		--launch 'smpirun -np 4 -platform known.xml -hostfile two' >known.json
	# jq: |got - wanted| within a share, the larger of what 16 bytes more make of it and of 0.1 %, which
	# the fit of ranges does not resolve
	verdict "L, o, G and the threshold of a known platform come back" \
		"$(jq -c 'def near(wanted; share): (. / wanted - 1 | fabs) <= share;
			[(.inside_node, .between_nodes) | .o_send_s, .o_receive_s] as $o |
			[($o[0] | near(3e-6; 1e-3)), ($o[1] | near(2e-6; 1e-3)),
			($o[2] | near(3e-6; 1e-3)), ($o[3] | near(2e-6; 1e-3)),
			(.inside_node.L_s | near(1e-6; 0.0041)), (.between_nodes.L_s | near(1e-5; 0.0017)),
			(.inside_node.segments[0].s_per_byte | near(2.5e-10; 2e-3)),
			(.between_nodes.segments[0].s_per_byte | near(1e-9; 2e-3)),
			.inside_node.blocking_bytes, .between_nodes.blocking_bytes, .simulated, .wg]' known.json)" \
		'[true,true,true,true,true,true,true,true,16384,16384,true,null]'
	verdict "and its definition says so" "$(run "$build/lemnos" machines check known.conf)
$(grep -E 'simulated|overhead|blocking' known.conf)" \
		"known.conf: machine known is well defined
  simulated = true;
  blocking_bytes = 16384;
  overhead_us = 2.50000;
  blocking_local_bytes = 16384;
  overhead_local_us = 2.50000;"
}

if command -v smpirun >/dev/null && [ -x "$build/kernels/wavefront_smpi" ]; then
	decompositions on_smpi "SMPI"
	calibrated
	simulations
else
	echo "  skipped: kernels/wavefront_smpi, no SimGrid (Debian: libsimgrid-dev)"
fi

echo "kernels: $n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
