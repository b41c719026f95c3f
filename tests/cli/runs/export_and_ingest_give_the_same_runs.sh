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
