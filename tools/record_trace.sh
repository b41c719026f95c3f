#!/bin/sh
# Record what a processor fetches, reads and writes while it sweeps: a trace for a task description
# with method = "trace". Kept are the calls of FUNCTION and what lies between them, so that nothing
# of the program's start and end is in it. Needs valgrind (its tool lackey), a compiler and zstd.
# usage: record_trace.sh OUT.zst it jt kt mk mmi mm [iterations]
set -eu
if [ $# -lt 7 ]; then
	sed -n 's/^# usage: /usage: /p' "$0" >&2
	exit 2
fi
out=$1
shift
kernels=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Not position-independent, so that the symbols' addresses are those of the trace.
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -no-pie -fno-pie -I"$kernels" -o "$work/sweep_task" \
	"$kernels/kernels/sweep_task.c" "$kernels/kernels/sweep_block.c" "$kernels/kernels/transport.c" -lm
# FUNCTION's first address and the one after its last, as lackey prints them.
range=$(nm -S "$work/sweep_task" | awk '$4 == "sweep_block_do" { print $1, $2 }')
first=$((0x${range% *}))
end=$((first + 0x${range#* }))

valgrind --tool=lackey --command-line-only=yes --basic-counts=no --trace-mem=yes \
	--log-file="$work/trace" "$work/sweep_task" "$@" >/dev/null
# Lines outside of FUNCTION wait until it is entered again; those after the last call never are.
awk -v first="$(printf '%08x' "$first")" -v end="$(printf '%08x' "$end")" '
	/^I/ {
		at = substr($2, 1, index($2, ",") - 1)
		inside = length(at) == length(first) && at >= first && at < end
	}
	inside { started = 1; if (n) { for (i = 1; i <= n; i++) print waiting[i]; n = 0 } print; next }
	started && !/^[=-]/ { waiting[++n] = $0 }
' "$work/trace" | zstd -q -19 --long=27 -f -o "$out"
