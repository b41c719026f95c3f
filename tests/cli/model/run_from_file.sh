cp "$mined" a.kb
export LEMNOS_KB=a.kb
printf 'label,it_g,jt_g,kt,npe_i,npe_j,mk,mmi,machine\n"a, b",50,50,50,2,2,10,3,sp2\n,50,50,50,2,2,10,4,\n,50,50,50,2,2,10,3,iblike\n' >some.csv
short() { sed -E 's/(\.[0-9]{3})[0-9]*/\1/g'; }
"$lemnos" model run loggp --from some.csv --machine sp2 --wg 1us | short
"$lemnos" model run loggp --from some.csv --machine sp2 --wg 1us --quiet --format table 2>none
"$lemnos" model run loggp --from some.csv --machine sp2 --wg 1us --store --format json 2>stored | short | grep -E 'npe_i|_s"|error'
grep stored stored
"$lemnos" imports --format csv | tail -n 1 | cut -d , -f 2-4,6,7
for wrong in '--mk 3' '--problem 1x1x1' '--from none.csv'; do
	# shellcheck disable=SC2086
	"$lemnos" model run loggp --from some.csv --machine sp2 --wg 1us $wrong 2>&1
done
"$lemnos" model run liu --from some.csv
