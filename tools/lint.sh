#!/bin/bash
# All the reading a machine can do: every header compiles alone; clang-tidy; cppcheck; layout as
# clang-format would have it; shell scripts; man pages; the corpora of the fuzzers. All of them run, then
# the verdict.
# usage: lint.sh [-p SEED/PARTS] BUILD_FOLDER C_FILE... -- CPPFLAG...
#   -p: one of so many parts of the sources is analysed to clang's full depth, the others to a third of it; seeds that
#       follow each other take turns
set -uo pipefail
part=0/1
[ "${1-}" != -p ] || { part=$2; shift 2; }
build=$1
shift
sources=()
headers=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	case $1 in
	*.c) sources+=("$1") ;;
	*.h) headers+=("$1") ;;
	esac
	shift
done
shift
cppflags=("$@")
bad=0
jobs=${JOBS:-$(nproc)}
step() { # NAME COMMAND...
	local name=$1 start=$SECONDS word=ok
	shift
	"$@" || word=FAIL bad=1
	printf '  %-5s %-20s %3d s\n' "$word" "$name" $((SECONDS - start))
}
# [-n FILES] COMMAND...: run for each file on stdin, or for so many at a time, on all processors.
spread() {
	local n=1
	[ "$1" != -n ] || { n=$2; shift 2; }
	xargs -d '\n' -r -P "$jobs" -n "$n" "$@"
}

headers_alone() {
	printf '%s\n' "${headers[@]}" |
		spread cc -std=c11 -Wall -Wextra -Werror -fsyntax-only "${cppflags[@]}" -x c
}

tidy() {
	# A fixed list of flags; its paths are relative to where it stands, hence $PWD.
	printf '%s\n' -std=c11 "${cppflags[@]/#-I./-I$PWD/.}" "-I$PWD/$build/obj" \
		-include "$PWD/tools/lint_err.h" >"$build/compile_flags.txt"
	local status=0 depth analyse variadic='va_(list|start|copy|end|arg)'
	# Its graphs are many small pieces: memory that is fetched in large ones saves a tenth of its time.
	local -x MALLOC_TOP_PAD_=67108864 MALLOC_MMAP_THRESHOLD_=268435456
	{
		clang-tidy --quiet -p "$build" --extra-arg=-DLINT_DEFINES_ERR_SET base/err.c || status=1
		# Of a function the analyser follows at most so many states (nodes of its graph), those that reach new code
		# first: a function that has more, of which there are a few in most files, takes nearly all of the time.
		# 75 000 is what clang itself allows where it is to be quick (mode=shallow), 225 000 what it allows otherwise.
		# Of 27 mistakes put into sources (a free or an initial value too few, a free too many) that 225 000 find,
		# 75 000 find 26 in two fifths of the time; gcc warns of the other.
		printf '%s\n' "${sources[@]}" | sed '\|^base/err\.c$|d; \|^tests/|d' >"$build/tidied"
		for depth in 75000 225000; do
			awk -v deep=$((depth > 75000)) -v n="${part%/*}" -v of="${part#*/}" \
				'(NR % of == n % of) == deep' "$build/tidied" >"$build/tidied.$depth"
			analyse=(clang-tidy --quiet -p "$build" --extra-arg=-Xclang --extra-arg=-analyzer-config
				--extra-arg=-Xclang "--extra-arg=max-nodes=$depth")
			# One process for several files, but for those with a va_list: the analyser of clang-tidy 14 takes
			# every va_list after the first file for uninitialised.
			spread "${analyse[@]}" < <(xargs -d '\n' -r grep -lwE "$variadic" <"$build/tidied.$depth") || status=1
			spread -n 8 "${analyse[@]}" < <(xargs -d '\n' -r grep -LwE "$variadic" <"$build/tidied.$depth") || status=1
		done
		# The paths through tests are run, all of them, with sanitizers; to follow them here takes four minutes.
		printf '%s\n' "${sources[@]}" | sed -n '\|^tests/|p' |
			xargs -d '\n' -r -P "$jobs" -n 20 clang-tidy --quiet -p "$build" --checks='-clang-analyzer-*' || status=1
	} 2> >(grep -vE 'warnings? (generated|treated)|^Suppressed|^Error while' >&2)
	return $status
}

check() {
	# No library headers: cppcheck knows the C library by itself and would spend minutes in others.
	cppcheck --quiet --std=c11 --enable=warning,performance,portability -j "$jobs" \
		--inline-suppr --suppressions-list=tools/cppcheck.suppressions --error-exitcode=1 \
		-I. -I"$build/obj" "${sources[@]}"
}

layout() {
	clang-format --dry-run -Werror "${sources[@]}" "${headers[@]}"
}

shells() { # SC2154: scripts that another one sources or calls use its variables
	grep -rlE --exclude='*.out' '^#!/bin/(ba)?sh' tools tests .ci | xargs -d '\n' shellcheck -x -S warning -e SC2154
}

pages() {
	mandoc -T lint -W warning docs/man/*.1
}

step "headers alone" headers_alone
step clang-tidy tidy
step cppcheck check
step clang-format layout
step shellcheck shells
step "man pages" pages
step "fuzz corpora" sh tests/fuzz/corpus.sh check
exit $bad
