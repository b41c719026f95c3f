#!/bin/bash
# ^C at a terminal: of every command that can take long, at its progress bar or, where it draws none,
# while it works. The line is cleaned, the exit status is 130, and nothing is left behind.
set -uo pipefail
# shellcheck source=tests/faults/lib.sh
. "$(dirname "$0")/lib.sh"
trap '' PIPE # a program may be gone before we are done
export LEMNOS_DATADIR=$data
clear=$'\r\e[K' # what wipes a bar, and begins one

ping_pong() { # ROWS
	echo message_bytes,roundtrip_us
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%d,%.3f\n", 8 * 2 ^ (i % 12), 4 + i % 12 }'
}
runs() { # ROWS
	echo it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s,repeat
	awk -v n="$1" 'BEGIN { split("1 2 5 10", mk); split("1 2 3 6", mmi)
		for (i = 0; i < n; i++) {
			p = 2 ^ int(i / 16 % 4)
			printf "%d,50,50,%d,2,%d,%d,%d,%.6f,%d\n", (50 + int(i / 64) % 16) * p, p, p,
				mk[i % 4 + 1], mmi[int(i / 4) % 4 + 1],
				3 + (i * 7919 % 1000) / 2e3 + 1 / mk[i % 4 + 1], i
		} }'
}

# Start COMMAND on a terminal of its own, what it prints going to FILE; its process is $pid, what is
# seen on the terminal ends in ./seen.
start() { # FILE COMMAND...
	local into=$1 command
	shift
	rm -f pid
	printf -v command '%q ' "$@"
	timeout -s KILL 1200 script -qefc "echo \$\$ >pid; exec $command >$into" /dev/null <&4 >seen 2>&1 &
	terminal=$!
	until [ -s pid ] || ! kill -0 $terminal 2>/dev/null; do sleep 0.01; done
	pid=$(cat pid)
}

ctrl_c() { # exit status in $status
	kill -INT "$pid" 2>/dev/null
	status=0
	wait "$terminal" || status=$?
}

# Until it catches ^C and sleeps, the same sleep each time we look: it waits for what does not come.
wait_for_sleep() {
	local now before='' same=0
	while [ $same -lt 5 ] && kill -0 "$pid" 2>/dev/null; do
		sleep 0.05
		now=$(grep -E '^(Name|State|SigCgt|voluntary_ctxt_switches):' "/proc/$pid/status")
		if [[ $now == "$before" && $now =~ lemnos.*sleeping.*SigCgt:[[:space:]]*([0-9a-f]+) ]] &&
			((16#${BASH_REMATCH[1]} & 2)); then
			same=$((same + 1))
		else
			same=0
		fi
		before=$now
	done
}

wait_for_bar() {
	until grep -qF -- "$clear" seen 2>/dev/null || ! kill -0 "$pid" 2>/dev/null; do sleep 0.01; done
}

# After the last bar was wiped there is the message, or nothing.
is_cleaned() {
	local last
	last=$(tr -d '\n' <seen)
	[[ ${last##*"$clear"} == 'lemnos '*interrupted* ]]
}

judge() { # NAME: after ctrl_c; the folder is as it was, and so is the base
	if [ "$status" -ne 130 ]; then
		echo "exit status $status" >>seen
		fail "$1: status 130" seen
	elif ! is_cleaned; then
		fail "$1: the line is wiped, and then says that it was interrupted" seen
	elif ! diff listed <(ls -A) >differ; then
		fail "$1: nothing is left behind" differ
	elif ! sound a.kb || ! cmp -s before <(contents a.kb); then
		fail "$1: the base is as before"
	else
		pass "$1"
	fi
}

# $rows runs of 1024 configurations in a.kb, as many others in other.kb: what the commands work on.
rows=100000
mined= # not empty: a.kb is mined, too
prepare() {
	local name
	rm -f a.kb other.kb
	runs $((2 * rows)) >all.csv
	head -n $((rows + 1)) all.csv >half.csv
	{ head -n 1 all.csv; tail -n $rows all.csv; } >other.csv
	cut -d , -f 1-8 all.csv >questions.csv
	for name in a other; do
		"$lemnos" init --kb $name.kb --quiet >/dev/null || exit 1
	done
	"$lemnos" ingest half.csv --kb a.kb --app sweep3d --machine m >said 2>&1 &&
		"$lemnos" ingest other.csv --kb other.kb --app sweep3d --machine m >>said 2>&1 &&
		{ [ -z "$mined" ] || "$lemnos" mine --kb a.kb --quiet >>said 2>&1; } ||
		fail "a base to work on" said
	contents a.kb >before
}

# A command may be done before our signal comes, on a fast machine always; then once more, on the base
# as it was, and now and then with twice the work.
at_bar() { # NAME FILE COMMAND...
	local i
	cp a.kb as_before
	for ((i = 1; i <= 20; i++)); do
		start "${@:2}"
		wait_for_bar
		ctrl_c
		[ $status -eq 0 ] || break
		cp as_before a.kb
		if [ $((i % 4)) -eq 0 ]; then
			rows=$((2 * rows))
			prepare
			cp a.kb as_before
		fi
	done
	rm as_before
	judge "^C at the bar of $1"
}

# ---- at a bar
mkfifo pipe
mkfifo keys && exec 4<>keys # nobody types anything; the end of the input would be ^D
touch differ listed pid seen
prepare
ls -A >listed

at_bar mine /dev/tty "$lemnos" mine --kb a.kb
mined=yes
prepare
at_bar evaluate /dev/tty "$lemnos" evaluate --kb a.kb
at_bar recommend /dev/tty "$lemnos" recommend --kb a.kb --problem 5040x5040x720 --deadline 100h --max-nodes 450000
at_bar predict /dev/null "$lemnos" predict --kb a.kb --from questions.csv
at_bar 'model run' /dev/null "$lemnos" model run loggp --kb a.kb --machine sp2 --wg 0.2us --from questions.csv
at_bar merge /dev/tty "$lemnos" status merge other.kb --kb a.kb

# ---- where the bar comes with what is sent through a pipe
start /dev/tty "$lemnos" ingest pipe --kb a.kb --app sweep3d --machine m
exec 3>pipe
cat other.csv >&3
until grep -q '/s' seen || ! kill -0 "$pid"; do
	runs 2000 | tail -n +2 >&3
	sleep 0.1
done
ctrl_c
exec 3>&-
judge '^C at the bar of ingest'

# ---- without a bar
calibrate=("$lemnos" calibrate --kb a.kb --machine m --pingpong pipe)
start /dev/tty "${calibrate[@]}"
wait_for_sleep
ctrl_c
judge '^C while calibrate waits for a file'
start /dev/tty "$lemnos" machines check pipe
wait_for_sleep
ctrl_c
judge '^C while a definition is waited for'
start /dev/tty "${calibrate[@]}"
exec 3>pipe
ping_pong 500 >&3
wait_for_sleep
ctrl_c
exec 3>&-
judge '^C while calibrate reads'
for ((i = 0; i < 20; i++)); do # it may be done before we are
	rm -f copy.kb
	start /dev/tty "$lemnos" status backup copy.kb --kb a.kb
	until compgen -G 'copy.kb*' >/dev/null || ! kill -0 "$pid" 2>/dev/null; do :; done
	ctrl_c
	[ $status -eq 0 ] && sound copy.kb || break
done
judge '^C in the midst of a backup'
verdict
