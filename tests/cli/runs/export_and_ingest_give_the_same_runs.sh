cp "$loaded" a.kb
"$lemnos" runs export --kb a.kb --machine local-2core >all.csv
wc -l <all.csv
head -2 all.csv
"$lemnos" runs export --kb a.kb --machine local-2core --limit 1 --format json
"$lemnos" init --kb b.kb >/dev/null
cut -d , -f 3- all.csv >plain.csv
"$lemnos" ingest plain.csv --kb b.kb --app sweep3d >/dev/null
"$lemnos" runs export --kb b.kb | cut -d , -f 3-22 >back.csv
cut -d , -f 3-22 all.csv | cmp - back.csv
# but for those that somebody excluded: who and why is not in a table
"$lemnos" runs exclude 3 4 --why swapping --kb a.kb >/dev/null
"$lemnos" runs export --kb a.kb --machine local-2core --limit 5 >excluded.csv
"$lemnos" init --kb c.kb --quiet >/dev/null
"$lemnos" ingest excluded.csv --kb c.kb --app sweep3d --quiet
sed '1s/,excluded,/,left_out,/' excluded.csv | "$lemnos" ingest - --kb c.kb --app sweep3d --quiet
