# script(1) gives it a terminal. Short work shows no bar, so this is longer work; in the end the bar is gone.
command -v script >/dev/null || { echo "no script (Debian: bsdutils)" >&2; exit 77; }
awk 'BEGIN { print "app,machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s"
	for (i = 0; i < 600000; i++) printf "sweep3d,sp2like,%d,50,50,2,1,1,10,3,%d\n", 50 + i % 900, 5 + i % 7 }' >many.csv
ingest() { # BASE OPTION...
	"$lemnos" init --kb "$1" >/dev/null
	script -qec "'$lemnos' ingest many.csv --kb $*" seen >/dev/null </dev/null
	tr '\r' '\n' <seen >lines
}
ingest a.kb
echo "a bar: $(grep -c -m 1 '\[#.*%.*/s' lines)"
grep -o 'many.csv: 600000 rows, 600000 taken' lines
ingest b.kb --quiet
echo "a bar: $(grep -c '\[#' lines)"
