# At a width, no line is longer, and the words are those of the whole lines: none is torn.
cp "$mined" a.kb
export LEMNOS_KB=a.kb
"$lemnos" recommend --problem 280x280x255 --objective time --quiet >/dev/null
words() { tr -s ' \n' '\n' <"$1" | sort | uniq -c; }
folds() {
	"$lemnos" "$@" --quiet >whole
	for columns in 80 60; do
		COLUMNS=$columns "$lemnos" "$@" --quiet >folded
		awk -v n=$columns 'length > n { print n ": " $0 }' folded
		words whole >a
		words folded >b
		cmp -s a b || diff a b
	done
	[ "$(wc -l <folded)" -gt "$(wc -l <whole)" ] && echo "folded: $1"
}
folds imports list
folds runs list --where 'procs = 64'
folds rules list
folds machines list
folds status
folds mine --verbose
folds predict --problem 280x280x255 --grid 4x4 --mk 5 --mmi 3
echo "--- numbers stay whole, with what they count; columns without values go"
COLUMNS=60 "$lemnos" advice | sed -E 's/[0-9a-f]{8} /ID /; s/[0-9.]+ m?s/TIME/g; s/  +/  /g'
COLUMNS=60 "$lemnos" recommend --problem 280x280x255 --objective time --frontier --quiet >out
awk 'length > 60' out
grep -c '^ *+-*$' out
echo "--- exact forms never fold"
"$lemnos" imports list --format csv >a
COLUMNS=40 "$lemnos" imports list --format csv | cmp - a
echo "--- what is no width is none"
for columns in 0 5 wide 80x24 -80 ""; do
	COLUMNS=$columns "$lemnos" imports list | cmp - whole 2>/dev/null
done | grep -c differ
