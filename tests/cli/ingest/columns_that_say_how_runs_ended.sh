# runs on 32 processes crash within a second: fast, and no runs
awk 'BEGIN {
	print "n,procs,time,result"
	for (n = 100; n <= 400; n += 100)
		for (p = 4; p <= 32; p *= 2)
			for (k = 0; k < 2; k++)
				print n "," p "," (p < 32 ? n * n / p / 100 + k / 9 : 0.5 + k / 9) "," \
					(p < 32 ? "OK" : "SEGFAULT")
}' >runs.csv
load()
{
	"$lemnos" ingest "$1" --kb "$2" --app code --machine box --target time --problem n \
		--resource procs=procs --cores-per-node 32
}
load runs.csv a.kb
"$lemnos" mine --kb a.kb --quiet >/dev/null
"$recommend" --kb a.kb --problem 400 --deadline 50s | sed -n 1p
# a name that says nothing, cells that do; a remark; a truth; a residual
sed '1s/result/x7/' runs.csv >x7.csv
sed '1s/result/note/; s/OK$/second series: no errors/; s/SEGFAULT/killed: OOM/' runs.csv >note.csv
sed '1s/result/converged/; s/OK$/1/; s/SEGFAULT/0/' runs.csv >truth.csv
sed '1s/result/residual/; s/OK$/1e-9/; s/SEGFAULT/nan/' runs.csv >residual.csv
for file in x7 note truth residual; do
	load $file.csv $file.kb 2>/dev/null | sed -n 2p
done
"$lemnos" runs --kb note.kb --where "status = 'failed'" --format csv | wc -l
# people say otherwise; a word that nobody knows; a status that is fine beside a check that is not
"$lemnos" ingest x7.csv --kb b.kb --app code --machine box --target time --problem n \
	--map x7=extra 2>/dev/null | sed -n 2p
sed '3s/OK$/odd/' runs.csv >odd.csv
load odd.csv odd.kb 2>/dev/null | head -2
sed '1s/result/status/; s/OK$/1/; s/SEGFAULT/0/' runs.csv >status.csv
load status.csv status.kb
awk -F, 'NR == 1 {print $0 ",valid"} NR > 1 {print $1 "," $2 "," $3 ",COMPLETED," ($2 < 32)}' \
	runs.csv | sed '1s/result/status/' >both.csv
load both.csv both.kb | sed -n 2p
# numbers that are an accuracy are no outcome
sed '1s/result/error/; s/OK$/1e-9/; s/SEGFAULT/0.1/' runs.csv >error.csv
load error.csv error.kb 2>/dev/null | sed -n 2p
# no column says it, and what ran out of memory has no time: 0, NA or nothing
table() {
	awk -v mark="$1" 'BEGIN {
		print "n,nodes,tile,time"
		for (n = 1000; n <= 8000; n *= 2)
			for (p = 1; p <= 8; p *= 2)
				for (t = 16; t <= 64; t *= 2)
					print n "," p "," t "," (n * n / p > 8e6 ? mark : n * n * (1 + t / 1000) / p / 1e4)
	}'
}
fresh()
{
	rm -f u.kb
	"$lemnos" ingest "$@" --kb u.kb --app code --machine box --target time --problem n --tunable tile \
		--resource nodes=nodes 2>&1 | grep -v 'new machine\|new knowledge\|next:'
}
for mark in NA '' 00:00:00 - 0; do
	table "$mark" >unmarked.csv
	fresh unmarked.csv
done
"$lemnos" mine --kb u.kb --quiet >/dev/null
"$recommend" --kb u.kb --problem 8000 --deadline 30min | grep -v '^all\|^why\|^next'
fresh - <unmarked.csv
# the same rows in another order; one that is no run by its sizes either; a status for each row
(sed 1q unmarked.csv; sed 1d unmarked.csv | sort -t, -k 3,3 -k 2,2r -k 1,1r; echo ,,,) >order.csv
fresh order.csv
awk -F, '{print $0 "," (NR == 1 ? "status" : $4 == 0 ? "FAILED" : "ok")}' unmarked.csv >status.csv
fresh status.csv
# lost here and there; failures by a word alone; most rows, of which people are asked
awk 'BEGIN {FS = OFS = ","} NR > 1 {$4 = NR * NR % 13 == 3 ? "" : $1 * $1 / $2 / 1e4} 1' unmarked.csv >lost.csv
fresh lost.csv
awk 'BEGIN {FS = OFS = ","} NR > 1 {$3 = NR % 3 ? "cg" : "direct"; $4 = NR % 3 ? $1 * $1 / $2 / 1e4 : NR > 9 ? "NA" : 5} 1' \
	unmarked.csv >words.csv
fresh words.csv
awk 'BEGIN {FS = OFS = ","} NR > 1 {$4 = NR % 3 == 2 ? 9 : "NA"} 1' unmarked.csv >most.csv
fresh most.csv
sed 's/NA/FAIL/' most.csv >told.csv
fresh told.csv
# every level of words by itself, however the numbers are; whole seconds, of which the shortest runs took none
(echo n,tile,nodes,time; for n in 1 2 3 4; do echo "$n,gcc,1,$n.5"; echo "$n,clang,1,$n.6"; echo "$n,icc,1,"; done) >level.csv
fresh level.csv
awk 'BEGIN {print "n,tile,nodes,time"; for (n = 100; n <= 3200; n *= 2) for (d = 1; d <= 4; d *= 2) printf "%d,8,%d,%d\n", n, d, n * n / 5e4 / d + 0.5}' >rounded.csv
fresh rounded.csv
