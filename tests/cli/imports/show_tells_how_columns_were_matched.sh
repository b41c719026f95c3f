cp "$loaded" a.kb
"$lemnos" imports show 1 --kb a.kb
"$lemnos" imports show 1 --kb a.kb --format json
"$lemnos" imports show 99 --kb a.kb
"$lemnos" imports show first --kb a.kb
