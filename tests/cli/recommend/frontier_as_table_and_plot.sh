# Which points stand on it is the predictor's business; here is the form.
cp "$mined" a.kb
ask() { "$lemnos" recommend --verbose --kb a.kb --problem 280x280x255 --set npe_i=4 --frontier "$@"; }
part() { sed -n '/^frontier/,/^where/p' "$1"; }
form() {
	part "$1" | sed -E 's/^frontier: [0-9]+/frontier: N/; s/ (node-hours|support)$/ .../
		/^(mark|recommended|best effort|knee|too late|  )/{/\||node-hours|recom.*knee/!s/ {2,}.*/  .../}
		/\|/d; s/[0-9.]+ +([0-9.]+) node-hours/FROM TO node-hours/; /^where/d' | uniq
}
echo '-- in time'
ask --deadline 1h >a.txt
form a.txt | grep -v '^knee\|^recommended\|^too late\|^  \.\.\.'
echo '-- each mark once, the letters in the plot'
part a.txt | grep -c '^recommended'
part a.txt | grep -c '^\(recommended, \)\?knee'
part a.txt | grep '|' | tr -dc RK | fold -w 1 | sort | uniq -c | tr -s ' '
part a.txt | awk '{ if (length > 110) print "too long: " $0 }'
part a.txt | sed -n '/|/p' | awk 'length > 80'
echo '-- without a deadline the fastest is recommended'
ask >fastest.txt
grep -o 'by objective .*' fastest.txt
part fastest.txt | grep -c 'in time'
echo '-- nothing is in time'
ask --deadline 1s >late.txt
part late.txt | grep -c '^best effort'
part late.txt | tail -n 3 | head -n 1
echo '-- explain shows it again'
id=$(sed -n 's/.*lemnos explain //p' fastest.txt)
"$lemnos" explain --kb a.kb "$id" >again.txt
part again.txt >again
part fastest.txt | cmp - again && echo the same
grep -o 'today the answer would be the same' again.txt
