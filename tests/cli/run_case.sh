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

(cd "$here" && timeout -k 5 600 sh "$golden.sh" >"$got/out" 2>"$got/err" </dev/null)
echo $? >"$got/exit"
if [ "$(cat "$got/exit")" = 77 ]; then # something optional is not there: the case says what
	echo "  skipped: $case, $(cat "$got/err")"
	rm -rf "$here"
	exit 0
fi
sed -i "s|$here|HERE|g; s|$tree|TREE|g
s/20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-9:]*Z/WHEN/g" "$got/out" "$got/err"

# The usual need not be written down: nothing on stderr, exit status 0.
[ -s "$got/err" ] || rm "$got/err"
[ "$(cat "$got/exit")" != 0 ] || rm "$got/exit"

if [ -n "$UPDATE" ]; then
	for part in out err exit; do
		rm -f "$golden.$part"
		[ ! -f "$got/$part" ] || cp "$got/$part" "$golden.$part"
	done
fi
for part in out err exit; do
	want=$golden.$part
	is=$got/$part
	[ -f "$want" ] || want=/dev/null
	[ -f "$is" ] || is=/dev/null
	diff -u --label "$case.$part" --label "printed" "$want" "$is" >>"$got/diff"
done
if [ -s "$got/diff" ]; then
	echo "  FAIL  $case"
	sed 's/^/        /' "$got/diff"
	: >"$work/failed.$name"
fi
rm -rf "$here"
