cp "$loaded" a.kb
"$lemnos" status backup b.kb --kb a.kb
"$lemnos" runs export --kb a.kb >a.csv
"$lemnos" runs export --kb b.kb | cmp - a.csv
"$lemnos" status backup b.kb --kb a.kb
