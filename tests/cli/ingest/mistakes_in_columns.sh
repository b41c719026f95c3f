cp "$loaded" a.kb
try() { "$lemnos" ingest --kb a.kb --dry-run "$@"; }
printf 'app,machine,it_g,jt_g,kt,npe_i,npe_j,mk,mmi,runtime_s\nsweep3d,sp2like,50,50,50,2,1,10,3,5\n' >good.csv
# a column named twice, one that is then missing, a field and a column that are not there
try good.csv --map mk=mmi,mk=mk
try good.csv --map mk=mmi
try good.csv --map mk=nosuch
try good.csv --map nosuch=mk
# counts of repeats that are none
sed '2s/,5$/,5,-1/; 1s/$/,repeat/' good.csv >minus.csv
try minus.csv
sed '2s/,5$/,5,1.5/; 1s/$/,repeat/' good.csv >half.csv
try half.csv
sed '2s/,5$/,5,many/; 1s/$/,repeat/' good.csv >word.csv
try word.csv
# sizes of a sub-grid that make a grid out of range
printf 'app,machine,it,jt,kt,npe_i,npe_j,mk,mmi,runtime_s\nsweep3d,sp2like,9007199254740992,50,50,4,1,10,3,5\n' >local.csv
try local.csv
# quotes in the midst of a field
printf 'app,machine,it_g,jt_g,kt,npe_i,npe_j,mk,mmi,runtime_s\nsweep3d,sp2like,50,50,50,2,1,10,3,"5"x\n' >quote.csv
try quote.csv
try good.csv --app nosuch
echo "--- a rate is no time"
printf 'n,nodes,gflops\n1000,1,30\n2000,2,55\n' >rate.csv
"$lemnos" ingest rate.csv --kb r.kb --app r --machine m --problem n --resource nodes=nodes --target gflops
echo "exit status $?"
echo "--- two tables in one file, the second with its columns in another order: nothing is taken; in the same order: a row that is refused"
printf 'n,nodes,tile,time\n1000,1,16,9\n2000,2,16,17\nn,tile,nodes,time\n1000,16,4,3\n' >two.csv
"$lemnos" ingest two.csv --kb t.kb --app t --machine m --problem n --resource nodes=nodes --tunable tile --target time
echo "exit status $?"
printf 'n,nodes,tile,time\n1000,1,16,9\n2000,2,16,17\nn,nodes,tile,time\n1000,16,4,3\n' >two.csv
"$lemnos" ingest two.csv --kb t.kb --app t --machine m --problem n --resource nodes=nodes --tunable tile --target time
echo "exit status $?"
