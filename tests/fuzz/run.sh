#!/bin/bash
# Build the fuzzers with clang's libFuzzer and run each over its corpus and then for some seconds.
# usage: run.sh BUILD_FOLDER SECONDS TARGET...     environment: CC (a clang), MAKE, SEED (0: a new one)
# The kept inputs (corpus.sh) are unpacked to BUILD_FOLDER/kept/TARGET. What a fuzzer finds stays as
# BUILD_FOLDER/found/TARGET/crash-* (also leak-, timeout-, oom-): mend the program, then keep the file
# under a name that says what it is (corpus.sh add). New inputs that reach new code are left in
# BUILD_FOLDER/corpus/TARGET; `make fuzz` starts from both, `make fuzz-merge` keeps the best of them.
# As many fuzzers run at a time as there are processors, or $JOBS.
set -euo pipefail
export build=$1 seconds=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
jobs=${JOBS:-$(nproc)}
export here

# in memory if there is room (a container gives 64 MB): each input is a file, and a base is many of them
shm_kb=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
probe=
[ "${shm_kb:-0}" -lt 1000000 ] || probe=$(mktemp -d -p /dev/shm 2>/dev/null) || probe=
[ -n "$probe" ] || probe=$(mktemp -d)
export probe
trap 'rm -rf "$probe"' EXIT
trap 'exit 130' INT TERM
echo 'int LLVMFuzzerTestOneInput(const char *d, long n); int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' >"$probe/a.c"
if ! ${CC:-clang} -fsanitize=fuzzer,address -o "$probe/a" "$probe/a.c" 2>"$probe/why"; then
	echo "fuzzing: SKIPPED, ${CC:-clang} has no libFuzzer (Debian: clang libclang-rt-14-dev)" >&2
	exit 0
fi

${MAKE:-make} --no-print-directory fuzz-build

fuzz_one() { # TARGET
	local target=$1 kept=$build/kept/$1 log=$build/fuzz/$1.log word=ok dict=()
	sh "$here/corpus.sh" unpack "$target" "$kept"
	mkdir -p "$build/corpus/$target" "$build/found/$target" "$probe/$target"
	[ ! -f "$here/$target.dict" ] || dict=("-dict=$here/$target.dict")
	# A base takes time to make before the first input; an input may take a minute and 2 GB.
	TMPDIR=$probe/$target timeout -k 10 $((seconds + 1200)) "$build/fuzz/$target" "${dict[@]}" \
		-seed="${SEED:-0}" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -max_len=65536 \
		-artifact_prefix="$build/found/$target/" -print_final_stats=1 \
		"$build/corpus/$target" "$kept" >"$log" 2>&1 || word=FAIL
	if [ $word = FAIL ]; then
		tail -n 60 "$log"
		: >"$probe/failed.$target"
	fi
	printf '  %-5s %-16s %4d kept inputs, %8d executions\n' $word "$target" \
		"$(find "$kept" -type f | wc -l)" \
		"$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
}
export -f fuzz_one

echo "fuzzing: $seconds s each, SEED=${SEED:-0}"
printf '%s\n' "$@" | xargs -P "$jobs" -I TARGET bash -euc 'fuzz_one TARGET'
failed=$(find "$probe" -name 'failed.*' | sed 's/.*failed\./ /' | sort | tr -d '\n')
if [ -n "$failed" ]; then
	echo "fuzzing: FAILED:$failed; the inputs are in $build/found. Again: make fuzz TARGETS='${failed# }'" >&2
	exit 1
fi
echo "fuzzing: $# passed, 0 failed: targets, nothing found"
