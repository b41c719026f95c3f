"$lemnos" init --with-data
"$lemnos" machines
"$lemnos" imports --format csv | cut -d , -f 1-4,6-
