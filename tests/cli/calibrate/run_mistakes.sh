# What can go wrong with --run: before anything is started, and while it runs.
[ -x "$(dirname "$lemnos")/kernels/pingpong" ] || {
	echo "no kernels/pingpong (Debian: libopenmpi-dev)" >&2
	exit 77
}
cp "$loaded" a.kb
export LEMNOS_KB=a.kb PATH="$PWD/bin:$PATH"
mkdir bin
ask() {
	"$lemnos" calibrate "$@"
	echo "exit status $?"
}
ask --run
ask --machine mine --launch 'srun -n 2'
ask --machine mine --out mine.conf
ask --machine mine --busy
ask --machine mine --run --pingpong pp.csv
ask --machine mine --run --launch "srun 'x"
ask --machine mine --run --launch ''
ask --machine mine --run --plot mine.txt
ask --machine mine --run --out nowhere/mine.conf
ask --machine sp2like --run
ask --machine mine --run --launch 'no-such-launcher -n 2'
ask --machine mine --run --keep /dev/null/folder
mpirun() { # TEXT: of a script
	printf '#!/bin/sh\n%s\n' "$1" >bin/mpirun
	chmod +x bin/mpirun
	ask --machine mine --run --out mine.conf
}
mpirun 'echo "There are not enough slots" >&2; exit 1'
# what a program of ours said, not what the launcher has to say about it
mpirun 'echo "pingpong: stopped: others compute on node a" >&2; for i in 1 2 3 4 5 6 7 8 9; do echo "-------- a process ended with exit code 4" >&2; done; exit 4'
mpirun 'kill -SEGV $$'
mpirun ''
mpirun 'echo hello world'
header=message_bytes,roundtrip_us,send_us,receive_us,blocks,pair_nodes,cores,memory_bytes,simulated
mpirun "echo $header"
mpirun "echo $header; echo 8,fast,1,1,0,1,2,1e9,0"
mpirun "echo $header; echo 8,2,1,1,0,1,2,1e9,0"
mpirun "echo $header; for b in 8 16 32 64 128; do echo \$b,2,1,1,0,1,2,1e9,0; done; exit 0"
ls
"$lemnos" machines --format csv | cut -d , -f 1

# ^C ends whatever was started: soon nobody holds the pipe, and nobody goes on.
mkfifo held
echo '#!/bin/sh' >bin/mpirun
cat >>bin/mpirun <<'END'
exec 3>held
echo started >&3
sleep 600
echo 'it went on' >&3
END
{
	exec 3<held
	read -r word <&3
	echo "$word"
	kill -INT "$(cat pid)"
	cat <&3
} >seen &
sh -c 'echo $$ >pid; exec "$0" calibrate --machine mine --run --out mine.conf' "$lemnos"
echo "exit status $?"
wait
cat seen
ls
