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
