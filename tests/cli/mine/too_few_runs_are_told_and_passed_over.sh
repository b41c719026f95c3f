cp "$mined" a.kb
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,2,2,4,10,3,7.31\n' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine tiny --quiet >/dev/null
"$lemnos" mine --kb a.kb --verbose | grep -v "Structural model\|Wavefront model" | sed "s/rules: [0-9]*/rules: N/"
echo "exit status $?"
"$lemnos" mine --kb a.kb | grep 'on tiny'
"$lemnos" mine --kb a.kb --machine tiny
echo "exit status $?"
echo "--- no runs, no base, no runs on a machine"
"$lemnos" init --kb none_yet.kb --quiet
"$lemnos" mine --kb none_yet.kb
echo "exit status $?"
"$lemnos" mine --kb "$work/none.kb" 2>&1 | sed "s|$work|WORK|"
cp "$loaded" b.kb
"$lemnos" mine --kb b.kb --machine sp2
echo "exit status $?"
echo "--- without a formula a single run is a beginning: priors say the rest, and it is not enough to promise anything"
printf 'n,nodes,time\n1000,1,800\n' >one.csv
printf 'n,nodes,time\n1000,2,410\n1000,4,220\n' >more.csv
declare_heat="--app heat --machine there --problem n --resource nodes=nodes --target time"
# shellcheck disable=SC2086
"$lemnos" ingest one.csv --kb c.kb $declare_heat --quiet 2>/dev/null
"$lemnos" mine --kb c.kb | grep heat
"$lemnos" recommend --kb c.kb --app heat --problem n=1000 --deadline 1h | head -3
echo "--- of three configurations it says more, and of another size it knows little"
# shellcheck disable=SC2086
"$lemnos" ingest more.csv --kb c.kb $declare_heat --quiet 2>/dev/null
"$lemnos" mine --kb c.kb | grep heat
for ask in "n=1000 --deadline 10m" "n=2000 --deadline 20m"; do
	# shellcheck disable=SC2086
	"$lemnos" recommend --kb c.kb --app heat --problem $ask | grep -E '^(Submit|No|deadline|best|[0-9].*90 %|support|In these)'
done
