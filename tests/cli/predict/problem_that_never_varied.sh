# A problem column with one value in all runs need not be given: it takes that value, and that is said.
awk 'BEGIN { print "n,order,nodes,time_s"
	for (n = 100; n <= 400; n += 50) for (p = 1; p <= 4; p *= 2) printf "%d,2,%d,%.3f\n", n, p, 10 + n / p }' >a.csv
"$lemnos" ingest a.csv --kb a.kb --app code --machine box --target time_s --problem n,order \
	--resource nodes=nodes --quiet >/dev/null
"$lemnos" mine --kb a.kb --quiet >/dev/null
predict() {
	"$lemnos" predict --kb a.kb --set nodes=2 "$@" 2>&1 | grep -E '^lemnos|90 %|^code'
}
predict --problem n=300
predict --problem n=300,order=2
echo '--- what varied has to be given'
predict --problem order=2
echo '--- and this, once it has varied'
printf 'n,order,nodes,time_s\n100,3,1,150\n' | "$lemnos" ingest - --kb a.kb --app code --machine box --quiet >/dev/null
predict --problem n=300
