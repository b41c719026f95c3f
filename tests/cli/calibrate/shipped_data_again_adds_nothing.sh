cp "$mined" a.kb
sha256sum a.kb >before
"$lemnos" calibrate --kb a.kb --machine sp2like --pingpong "$data/runs/pingpong_sp2like.csv"
"$lemnos" calibrate --kb a.kb --machine sp2like --format csv | cut -d , -f 1-2
sha256sum --check --quiet before
