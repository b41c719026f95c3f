cp "$loaded" a.kb
"$lemnos" apps show sweep3d --kb a.kb --format json >sweep3d.json
jq -c '.app | [.name, .model, .target, (.columns | length), .group_flags]' sweep3d.json
jq -c '.app.columns[] | select(.role == "tunable") | [.column, .flag, .min, .unit, .candidates]' sweep3d.json
jq -c '.app.legality[0]' sweep3d.json
# an application made from flags: its candidates are what runs had
printf 'm,nb,layout,nodes,time\n10,1,row,1,5\n10,2,col,1,4\n' >qr.csv
"$lemnos" ingest qr.csv --kb a.kb --app qr --machine cluster --target time --problem m --tunable nb,layout \
	--categorical layout --resource nodes=nodes --quiet >/dev/null
"$lemnos" apps show qr --kb a.kb --format json | jq -c '.app.columns[] | [.column, .role, .candidates]'
echo "--- show describes the application"
cp "$loaded" a.kb
"$lemnos" apps show sweep3d --kb a.kb
"$lemnos" apps show SWEEP3D --kb a.kb --format csv | sed -n 1,3p
"$lemnos" apps show sweep3d --kb a.kb --definition | cmp - "$data/applications/sweep3d.conf"
"$lemnos" apps show sweep --kb a.kb
