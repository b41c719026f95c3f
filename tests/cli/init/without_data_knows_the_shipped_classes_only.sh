"$lemnos" init --kb a.kb
"$lemnos" apps --kb a.kb
"$lemnos" machines --kb a.kb
"$lemnos" runs --kb a.kb
"$lemnos" init --with-data --kb a.kb
