cp "$loaded" a.kb
"$lemnos" ingets
"$lemnos" status --formt json
"$lemnos" status --format yaml
"$lemnos" status --format
"$lemnos" status shwo
"$lemnos" --kb x.kb status
"$lemnos" runs --limit=-1 --kb a.kb
"$lemnos" runs show
"$lemnos" runs show 1 2
