# The stored answer is told all the same.
cat >qr.csv <<'END'
m,layout,nb,nodes,ppn,time
1000,row,32,1,8,80
1000,col,64,1,8,100
1000,row,32,2,8,41
1000,col,64,2,8,52
1000,row,32,4,8,21
2000,col,64,1,8,800
2000,row,32,2,8,330
2000,col,64,2,8,410
2000,row,32,4,8,170
2000,col,64,4,8,215
END
export LEMNOS_KB=a.kb
"$lemnos" ingest qr.csv --app qr --machine m --target time --problem m --tunable layout,nb \
	--categorical layout --resource nodes=nodes,ppn=ppn --quiet >/dev/null
"$lemnos" mine --app qr --quiet >/dev/null
"$lemnos" recommend --verbose --app qr --problem m=1000 --deadline 2m >answer
"$lemnos" recommend --app qr --problem m=1000 --deadline 2m --format csv >answer.csv
id=$(sed -n 's/.*lemnos explain //p' answer)
"$lemnos" imports undo 1 >/dev/null
echo "--- no runs any more"
"$lemnos" explain "$id" | tail -1
echo "--- no machine"
"$lemnos" machines remove m >/dev/null
"$lemnos" explain "$id" | tail -2
echo "--- no application"
"$lemnos" apps remove qr >/dev/null
"$lemnos" explain "$id" >again
tail -2 again
# but for the nearest runs, of which more are shown, it reads as it did
sed -n '/^nearest/q;p' answer >a
sed -n '3,${/^nearest/q;p}' again | cmp a -
"$lemnos" explain "$id" --format csv | cmp - answer.csv
"$lemnos" advice | sed -n '2s/^........ .*Z  \(.*m=*1000\|.*1000\)  \(.*nb [0-9]*\) .*/\1 \2/p'
