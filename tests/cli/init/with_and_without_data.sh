"$lemnos" init --kb a.kb
"$lemnos" apps --kb a.kb
"$lemnos" machines --kb a.kb
"$lemnos" runs --kb a.kb
"$lemnos" init --with-data --kb a.kb
echo "--- loads what ships"
"$lemnos" init --with-data
"$lemnos" machines
"$lemnos" imports --format csv | cut -d , -f 1-4,6-
