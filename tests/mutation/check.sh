#!/bin/sh
# The mutants of a source that has something of every kind, and of everything that is left alone,
# against the list that was read by hand (UPDATE=1 rewrites it); two of them made; which lines a test
# executes; and what becomes of all mutants of a room that is small enough to know it.
# usage: check.sh BUILD     environment: CC
set -eu
mutate=$(cd "$1" && pwd)/tests/mutation/mutate
here=$(cd "$(dirname "$0")" && pwd)
fixtures=$(cd "$here/../fixtures/mutation" && pwd)
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

# As gcov -t prints it: of the system, not executed, executed, executed in part, without code.
awk -f "$here/reached.awk" >"$work/reached" <<'END'
        -:    0:Source:/usr/include/stdlib.h
        3:   12:int abs(int x);
        -:    0:Source:room/a.c
        -:    0:Graph:a.gcno
    #####:    4:	"text:9:1"
    =====:    5:	}
        7:    6:	x = y;
       2*:   10:	return x ? y : z;
        -:   11:
END
printf 'room/a.c:%s\n' '4 no' '5 no' '6 yes' '10 yes' | diff -u - "$work/reached"

# A folder in which run.sh finds all that `make mutation` builds; the source is in a room inside the room.
build_room() {
	cd "$work"
	mkdir -p room/inner build/tests/mutation build/tests/unit/room/inner build/obj/tests/unit/room/inner
	cat >room/inner/larger.c <<'END'
/* A room of one file, with a test of it: what becomes of each mutant can be told by reading. */
int larger(int a, int b)
{
	if (a > b + 10)
		return a - 10;
	return b;
}
END
	cat >test_larger.c <<'END'
/* Passes if b is returned where a is smaller, and asks nothing else. Adds a line to the file $RUNS. */
#include <stdio.h>
#include <stdlib.h>

int larger(int a, int b);

int main(void)
{
	FILE *runs = fopen(getenv("RUNS"), "a");

	if (!runs || fputs("run\n", runs) < 0 || fclose(runs))
		return 2;
	return larger(1, 2) == 2 ? 0 : 1;
}
END
	ln -s "$mutate" build/tests/mutation
	echo "${CC:-cc} -O1" >build/mutation-room.compile
	echo "${CC:-cc} @OBJECTS@" >build/mutation-room.link
	test=tests/unit/room/inner/test_larger
	${CC:-cc} -c -o build/obj/$test.o test_larger.c
	${CC:-cc} -o build/$test build/obj/$test.o room/inner/larger.c
	touch -d '1 minute ago' build/$test # clocks of file systems tick slowly
	printf 'room/inner/larger.c:%s\n' '2 yes' '4 yes' '5 no' '6 yes' >build/$test.reached
}
# What reached.sh finds out for itself; each compiler has a gcov of its own.
find_reached() {
	mkdir -p counted/obj/room/inner counted/tests/unit/room/inner
	${CC:-cc} -O0 --coverage -c -o counted/obj/room/inner/larger.o room/inner/larger.c
	${CC:-cc} --coverage -o counted/$test build/obj/$test.o counted/obj/room/inner/larger.o
	RUNS=$work/not_counted bash "$here/reached.sh" counted counted/$test | diff -u build/$test.reached -
}
# Line 4: 1 >= 12 and 1 > 13 are as false as 1 > 12; no test executes line 5.
build_room
n_passed=5
case $(${CC:-cc} --version) in
*clang*) echo "not with clang: which lines a test executes" ;;
*)
	find_reached
	n_passed=6
	;;
esac
export RUNS="$work/runs"
bash "$here/run.sh" room 100 1 build build build >"$work/report"
cut -f 3-7 build/mutation/room-1.tsv | sort | sed 's/\t/ | /g' >"$work/ends"
diff -u - "$work/ends" <<'END'
4 | arithmetic | + | - | killed
4 | comparison | > | >= | survived
4 | condition negated | (a > b + 10) | (!(a > b + 10)) | killed
4 | constant | 10 | (10 + 1) | survived
5 | arithmetic | - | + | survived
5 | constant | 10 | (10 + 1) | survived
5 | returned value | a - 10 | 0 | survived
6 | returned value | b | 0 | killed
END
# 1 to see how long it takes, 1 for each of 3 that are killed, 2 for each of 2 whose line is executed
[ "$(wc -l <"$RUNS")" -eq 8 ] || {
	echo "the test ran $(wc -l <"$RUNS") times, not 8" >&2
	exit 1
}
echo "$n_passed passed, 0 failed"
