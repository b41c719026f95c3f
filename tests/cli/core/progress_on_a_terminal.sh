# script(1) gives it a terminal. Short work shows no bar, so this is longer work, on a fast machine longer
# still; in the end the bar is gone.
command -v script >/dev/null || { echo "no script (Debian: bsdutils)" >&2; exit 77; }
ingest() { # BASE OPTION...
	"$lemnos" init --kb "$1" >/dev/null
	script -qec "'$lemnos' ingest many.csv --kb $*" seen >/dev/null </dev/null
	tr '\r' '\n' <seen >lines
}
for n in 150000 600000 2400000 9600000; do
	awk -v n=$n 'BEGIN { print "app,machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s"
		for (i = 0; i < n; i++) printf "sweep3d,sp2like,%d,50,50,2,1,1,10,3,%d\n", 50 + i % 900, 5 + i % 7 }' >many.csv
	rm -f a.kb
	ingest a.kb
	grep -q '\[#.*%.*/s' lines && break
done
echo "a bar: $(grep -c -m 1 '\[#.*%.*/s' lines)"
grep -o "many.csv: $n rows, $n taken" lines | sed "s/$n/N/g"
ingest b.kb --quiet
echo "a bar: $(grep -c '\[#' lines)"
