#!/bin/sh
# The mutants of a source that has something of every kind, and of everything that is left alone,
# against the list that was read by hand (UPDATE=1 rewrites it); and two of them made.
# usage: check.sh BUILD
set -eu
mutate=$1/tests/mutation/mutate
fixtures=$(cd "$(dirname "$0")/../fixtures/mutation" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$fixtures/every_kind.c

"$mutate" list 7 "$source" | cut -f 2- | sort -n >"$work/mutants"
[ -z "${UPDATE-}" ] || cp "$work/mutants" "$fixtures/every_kind.mutants"
diff -u "$fixtures/every_kind.mutants" "$work/mutants"

# NUMBER DIFFERENCE: of the original and that mutant
differs() {
	"$mutate" make "$source" "$1" >"$work/mutant.c"
	diff "$source" "$work/mutant.c" >"$work/diff" || true
	printf '%s\n' "$2" | diff -u - "$work/diff"
}
number_of() {
	awk -F '\t' -v line="$1" -v kind="$2" '$2 == line && $3 == kind { print $1 }' "$work/mutants"
}
differs "$(number_of 20 'negation removed')" '20c20
< 	if (!x)
---
> 	if (x)'
# a statement that goes leaves its lines, so that those below keep their numbers
differs "$(number_of 30 'call removed')" "30,31c30,31
< 		put(\"1 + 1\", '!',
< 		    total - 1);
---
> 		
> ;"
echo "2 passed, 0 failed"
