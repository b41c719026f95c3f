# The same configurations again, four times as slow.
cat >qr.csv <<'END'
m,nb,nodes,ppn,time
1000,32,1,8,80
1000,64,1,8,100
1000,32,2,8,41
1000,64,2,8,52
1000,32,4,8,21
1000,64,4,8,27
2000,32,1,8,640
2000,64,1,8,800
2000,32,2,8,330
2000,64,2,8,410
2000,32,4,8,170
2000,64,4,8,215
END
awk -F, -v OFS=, 'NR > 1 { $5 *= 4 } { print }' qr.csv >slow.csv
export LEMNOS_KB=a.kb
"$lemnos" ingest qr.csv --app qr --machine m --target time --problem m --tunable nb \
	--resource nodes=nodes,ppn=ppn --quiet >/dev/null
"$lemnos" mine --app qr --quiet >/dev/null
"$lemnos" recommend --app qr --problem m=1000 --deadline 90s >answer
sed -n 1p answer
id=$(sed -n 's/.*lemnos explain //p' answer)
"$lemnos" explain "$id" | tail -2
echo "--- loaded, not mined"
"$lemnos" ingest slow.csv --app qr --machine m --quiet >/dev/null
"$lemnos" explain "$id" | sed -n '/^what/,/mine/p'
echo "--- mined"
"$lemnos" mine --app qr --quiet >/dev/null
"$lemnos" explain "$id" >today
sed -n '/^changed/,/^because/p' today
grep -c '^  takes .*; then: ' today
"$lemnos" explain "$id" --format json >today.json
sqlite3 :memory: "SELECT json_extract(t, '$.current'), json_array_length(t, '$.today.differs') > 0, json_extract(t, '$.today.since.imports[0].runs'),
	json_extract(t, '$.today.since.mined'), json_type(t, '$.today.answer'),
	json_type(t, '$.today.reason') FROM (SELECT readfile('today.json') AS t)"
echo "--- taken out again: as it was"
"$lemnos" imports undo 2 >/dev/null
"$lemnos" mine --app qr --quiet >/dev/null
"$lemnos" explain "$id" | tail -1
