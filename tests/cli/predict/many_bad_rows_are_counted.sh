# Twenty are named, the others counted; a table has the reason of each.
cp "$mined" a.kb
awk 'BEGIN { print "it_g,jt_g,kt,npe_i,npe_j,mk,mmi"; for (i = 1; i <= 30; i++) print "20,20,50,2,2," (i == 3 ? 10 : "x" i) ",3" }' >file.csv
"$lemnos" predict --kb a.kb --from file.csv >answers
grep -c ',,,,$' answers
"$lemnos" predict --kb a.kb --from file.csv --format json 2>json.err >answers
jq '[.predictions[] | select(.error != null and .error != "")] | length' answers
tail -n 2 json.err
