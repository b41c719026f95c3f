#!/bin/sh
# One case, AREA/CASE, for run.sh, which exports what is used here and not set.
# shellcheck disable=SC2154
set -u
case=$1
golden=$cases/$case
name=$(echo "$case" | tr / .)
here=$work/$name
got=$work/$name.got
mkdir "$here" "$got"
export XDG_DATA_HOME="$here/share" HOME="$here" USER=tester

(cd "$here" && timeout -k 60 3600 sh "$golden.sh" >"$got/out" 2>"$got/err" </dev/null)
echo $? >"$got/exit"
if [ "$(cat "$got/exit")" = 77 ]; then # something optional is not there: the case says what
	echo "  skipped: $case, $(cat "$got/err")"
	rm -rf "$here"
	exit 0
fi
sed -i "s|$here|HERE|g; s|$tree|TREE|g
s/20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-9:]*Z/WHEN/g" "$got/out" "$got/err"

# One file says what is to come: what is printed, then, unless they are as usual, stderr and the status.
# A line cut short is told by its end.
{
	cat "$got/out"
	[ -z "$(tail -c 1 "$got/out")" ] || echo "<no newline>"
	if [ -s "$got/err" ]; then
		echo "==== standard error"
		cat "$got/err"
	fi
	[ "$(cat "$got/exit")" = 0 ] || echo "==== exit status $(cat "$got/exit")"
} >"$got/all"
[ -z "$UPDATE" ] || cp "$got/all" "$golden.out"
want=$golden.out
[ -f "$want" ] || want=/dev/null
diff -u --label "$case.out" --label "printed" "$want" "$got/all" >"$got/diff"
if [ -s "$got/diff" ]; then
	echo "  FAIL  $case"
	sed 's/^/        /' "$got/diff"
	: >"$work/failed.$name"
fi
rm -rf "$here"
