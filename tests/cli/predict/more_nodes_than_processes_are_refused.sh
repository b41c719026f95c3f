# A node without a process would be paid for and do nothing: in a question, in a file, in runs.
cp "$mined" a.kb
"$lemnos" predict --kb a.kb --problem 20x20x50 --grid 2x2 --nodes 8 --mk 10 --mmi 3
echo "exit status $?"
cat >file.csv <<END
it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi
20,20,50,2,2,4,10,3
20,20,50,2,2,5,10,3
END
"$lemnos" predict --kb a.kb --from file.csv >answers
cut -d , -f 1-8,12 answers
sed '1s/$/,runtime_s/; 2,$s/$/,1.5/' file.csv >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine m --quiet
"$lemnos" recommend --kb a.kb --problem 20x20x50 --deadline 1h --nodes 8 --grid 2x2 --quiet
