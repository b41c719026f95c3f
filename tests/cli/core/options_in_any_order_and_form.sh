cp "$loaded" a.kb
"$lemnos" runs --kb a.kb --limit=2 list --where "run_id in (3, 5)" --format csv >1
"$lemnos" runs list --kb=a.kb --format=csv --limit 1 --limit 2 --where="run_id in (3, 5)" >2
"$lemnos" runs --format csv --kb a.kb --where "run_id in (3, 5)" -- list >3
cmp 1 2 && cmp 1 3 && wc -l <1
