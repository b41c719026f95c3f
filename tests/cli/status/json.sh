cp "$loaded" a.kb
"$lemnos" status --kb a.kb --format json | sed 's/\(schema\|size_bytes\)": [0-9]*/\1": N/'
