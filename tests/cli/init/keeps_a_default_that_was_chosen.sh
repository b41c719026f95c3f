"$lemnos" init --with-data --kb a.kb >/dev/null
"$lemnos" machines default iblike --kb a.kb
"$lemnos" init --with-data --kb a.kb
"$lemnos" machines default --kb a.kb
