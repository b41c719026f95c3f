cp "$loaded" a.kb
ask() { "$lemnos" evaluate --kb a.kb --machine sp2like --predictors power-law --protocols configurations "$@"; }
ask --reliability --format csv >a.csv
# ten questions about each of 570 runs, of each run one in each bin
cut -d , -f 1-4,8 a.csv | sort -u
awk -F , 'NR > 1 { n++; if ($5 < last) print "bins are out of order"; last = $5 } END { print n " bins" }' a.csv
ask --reliability | sed -n 1,2p
