cp "$loaded" a.kb
"$lemnos" runs --kb a.kb --machine sp2like
"$lemnos" runs --kb a.kb --machine sp2like --limit 1 --quiet
