"$lemnos" init --with-data --kb a.kb >/dev/null
sha256sum a.kb >before
"$lemnos" init --with-data --kb a.kb
sha256sum --check --quiet before

echo '--- keeps a default that was chosen'
"$lemnos" init --with-data --kb a.kb >/dev/null
"$lemnos" machines default iblike --kb a.kb
"$lemnos" init --with-data --kb a.kb
"$lemnos" machines default --kb a.kb
