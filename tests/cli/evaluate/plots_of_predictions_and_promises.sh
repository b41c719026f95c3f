cp "$loaded" a.kb
ask() { "$lemnos" evaluate --kb a.kb --machine sp2like --predictors power-law --protocols rows,sizes "$@"; }
# without gnuplot there are the data and the scripts, and a word that says so
PATH=nowhere ask --plot 'it'"'"'s' --format csv 2>&1 >a.csv
ls
head -n 1 "it's-predicted.csv" "it's-reliability.csv"
# as many points as were tested: the truths of the table
cut -d , -f 3 "it's-predicted.csv" | sort | uniq -c
cut -d , -f 3,6 a.csv
# the same promises as are printed
ask --reliability --format csv | cmp - "it's-reliability.csv"
grep -cE '^[0-9.e+-]+ [0-9.e+-]+$' "it's-predicted.gp"
grep -E '^(set|plot|unset)' "it's-reliability.gp"
# what gnuplot draws, if it is there, is the same each time
if command -v gnuplot >/dev/null; then
	ask --plot b >/dev/null
	ask --plot c >/dev/null
	cmp b-predicted.svg c-predicted.svg && cmp b-reliability.svg c-reliability.svg
	for f in b-*.svg; do grep -q '</svg>' "$f" || echo "$f is no picture"; done
fi
ask --plot no/where >/dev/null
