"$lemnos" init --with-data --kb a.kb >/dev/null
sha256sum a.kb >before
"$lemnos" init --with-data --kb a.kb
sha256sum --check --quiet before
