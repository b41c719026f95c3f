#!/bin/sh
# Build the fuzzers with clang's libFuzzer and run each over its corpus and then for some seconds.
# usage: run.sh BUILD_FOLDER SECONDS TARGET...     environment: CC (a clang), MAKE, SEED (0: a new one)
# What a fuzzer finds stays as tests/fuzz/corpus/TARGET/crash-* (also leak-, timeout-, oom-): mend the
# program, then keep the file under a name that says what it is. New inputs that reach new code are
# left in BUILD_FOLDER/corpus/TARGET; `make fuzz` starts from both.
set -eu
build=$1 seconds=$2
shift 2
corpus=$(cd "$(dirname "$0")" && pwd)/corpus

# in memory if there is room (a container gives 64 MB): each input is a file, and a base is many of them
shm_kb=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
probe=
[ "${shm_kb:-0}" -lt 1000000 ] || probe=$(mktemp -d -p /dev/shm 2>/dev/null) || probe=
[ -n "$probe" ] || probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
trap 'exit 130' INT TERM
echo 'int LLVMFuzzerTestOneInput(const char *d, long n); int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' >"$probe/a.c"
if ! ${CC:-clang} -fsanitize=fuzzer,address -o "$probe/a" "$probe/a.c" 2>"$probe/why"; then
	echo "fuzzing: SKIPPED, ${CC:-clang} has no libFuzzer (Debian: clang libclang-rt-14-dev)" >&2
	exit 0
fi

# -g1: lines for reports, without the time that full debugging information takes to link
${MAKE:-make} --no-print-directory -j"$(nproc)" CC="${CC:-clang}" BUILD="$build" \
	SANITIZE=fuzzer-no-link,address,undefined CFLAGS='-O1 -g1 -fno-omit-frame-pointer' all-fuzzers

failed=
for target; do
	found=$build/corpus/$target
	mkdir -p "$found" "$corpus/$target" "$probe/$target"
	dict=$(dirname "$corpus")/$target.dict
	[ -f "$dict" ] && dict=-dict=$dict || dict=
	echo "fuzzing: $target, $seconds s"
	# A base takes time to make before the first input; an input may take a minute and 2 GB.
	# shellcheck disable=SC2086 # no dictionary, no word
	if ! TMPDIR=$probe/$target timeout -k 10 $((seconds + 1200)) "$build/fuzz/$target" $dict \
		-seed="${SEED:-0}" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -max_len=65536 \
		-artifact_prefix="$corpus/$target/" -print_final_stats=1 \
		"$found" "$corpus/$target" >"$build/fuzz/$target.log" 2>&1; then
		failed="$failed $target"
		tail -n 60 "$build/fuzz/$target.log"
	fi
	sed -n 's/^stat::number_of_executed_units: */  executions: /p' "$build/fuzz/$target.log"
done
if [ -n "$failed" ]; then
	echo "fuzzing: FAILED:$failed" >&2
	exit 1
fi
echo "fuzzing: $# targets, nothing found"
