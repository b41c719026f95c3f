#!/bin/sh
# Golden tests of the command line: each AREA/CASE.sh runs in an empty folder of its own, and what
# it prints is compared with CASE.out: what it says on stdout, then, unless they are none and 0, below lines
# that begin with ==== what it says on stderr, and the exit status.
# usage: run.sh [-c] [-p SEED/PARTS] [-l SEED/PARTS] BUILD_FOLDER [AREA[/CASE]]...      UPDATE=1 rewrites instead of comparing
#   -c: not at all if neither program nor data nor cases have changed since all of them passed
#   -p: one of so many parts: seeds that follow each other take turns, so 0/3, 1/3 and 2/3 are all
#   -l: leaks are looked for in such a part alone, as that takes half of the time of a short program under the sanitizers
# As many cases run at a time as there are processors, or $JOBS.
#
# A case finds: $lemnos and $recommend (programs), $data (shipped data), $cases (this folder), and
# two knowledge bases to copy: $loaded (after `init --with-data`) and $mined (after `mine` too).
# A case that misses something optional says so on stderr and exits with 77: it is skipped.
# In what is compared, the case's folder is called HERE, the tree TREE, and times of day WHEN.
set -u
changed=no part=0/1 leaks=0/1
[ "${1-}" != -c ] || { changed=yes; shift; }
[ "${1-}" != -p ] || { part=$2; shift 2; }
[ "${1-}" != -l ] || { leaks=$2; shift 2; }
cases=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$cases/../.." && pwd)
build=$(cd "$1" && pwd) || exit 2
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
lemnos=$build/lemnos recommend=$build/recommend data=$tree/data
loaded=$work/loaded.kb mined=$work/mined.kb
export cases tree work lemnos recommend data loaded mined
# script(1) starts what SHELL names; a dumb terminal gets no bar.
export LC_ALL=C TZ=UTC TERM=xterm SHELL=/bin/sh UPDATE="${UPDATE-}"
unset LEMNOS_KB LEMNOS_DATADIR LEMNOS_NOW LEMNOS_USER NO_COLOR COLUMNS

# All that decides what the cases print
mkdir -p "$build/check"
(cd "$tree" && find "$build/lemnos" "$build/kernels" data tests/cli tests/fixtures -type f -print0 | sort -z |
	xargs -0 sha256sum) >"$work/digests"
if [ $changed = yes ] && cmp -s "$work/digests" "$build/check/cli.passed"; then
	echo "cli: as they were when all of them passed: 0 passed, 0 failed"
	exit 0
fi

if ! { "$lemnos" init --with-data --kb "$loaded" --quiet && cp "$loaded" "$mined" &&
	"$lemnos" mine --kb "$mined" --quiet; } >"$work/log" 2>&1; then
	echo "  FAIL  the knowledge bases that the cases start from"
	sed 's/^/        /' "$work/log"
fi

find "$cases" -mindepth 2 -name '*.sh' | sed "s|^$cases/||; s|\.sh\$||" | sort >"$work/all"
if [ $# -gt 0 ]; then
	for pattern; do
		grep -E "^$pattern(/|\$)" "$work/all"
	done
else
	cat "$work/all"
fi | awk -v n="${part%/*}" -v of="${part#*/}" 'NR % of == n % of' >"$work/list"
in_part() { # YES_OR_NO: of the list, those in which leaks are looked for, or the others
	awk -v n="${leaks%/*}" -v of="${leaks#*/}" -v yes="$1" '(NR % of == n % of) == yes' "$work/list"
}
in_part 1 | xargs -r -P "${JOBS:-$(nproc)}" -n 1 sh "$cases/run_case.sh"
in_part 0 | ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" xargs -r -P "${JOBS:-$(nproc)}" -n 1 sh "$cases/run_case.sh"

n=$(wc -l <"$work/list")
n_failed=$(find "$work" -maxdepth 1 -name 'failed.*' | wc -l)
echo "cli: $((n - n_failed)) passed, $n_failed failed"
rm -f "$build/check/cli.passed"
[ "$n" -gt 0 ] && [ "$n_failed" -eq 0 ] || exit 1
[ $# -gt 0 ] || [ "$part" != 0/1 ] || mv "$work/digests" "$build/check/cli.passed"
