# An invented list: N_max grows with R_max as R^(1/2), so the effective bandwidth follows the rank; performance of a
# core does not. One system has accelerators, one tells no N_max.
awk 'BEGIN {
	print "Rank,Rmax [TFlop/s],Nmax,Cores,Accelerator Cores"
	for (i = 1; i <= 12; i++) {
		r = 1000 / i
		core = 0.01 + 0.002 * (i * 7 % 5)
		printf "%d,%.6g,%s,%d,%s\n", i, r, i == 4 ? "" : int(1e5 * sqrt(r)), r / core, i == 2 ? 2048 : ""
	}
}' >list.csv
"$lemnos" model ranking list.csv --plot list.gp
grep -c title list.gp
"$lemnos" model ranking list.csv --first 9 --format json | sed -n '/accelerated/,$p' | grep -v '"p"' |
	sed -E 's/(\.[0-9]{3})[0-9]*/\1/'
"$lemnos" model ranking list.csv --format csv | sed 2q | sed -E 's/(\.[0-9]{3})[0-9]*/\1/g'
printf 'rank,rmax_gflops,nmax,cores\n1,2,,3\n' >few.csv
for wrong in few.csv 'list.csv --first 2' 'list.csv --plot x.doc' no.csv; do
	# shellcheck disable=SC2086
	"$lemnos" model ranking $wrong 2>&1
	echo "exit status $?"
done
