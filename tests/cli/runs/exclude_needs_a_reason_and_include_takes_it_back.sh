cp "$loaded" a.kb
"$lemnos" runs exclude 1 2 --kb a.kb
"$lemnos" runs exclude 1 2 --why "disk check" --kb a.kb
"$lemnos" runs show 1 --kb a.kb
"$lemnos" runs --where excluded --kb a.kb --format csv | cut -d , -f 1
"$lemnos" runs --where "run_id < 4" --usable --kb a.kb --format csv | cut -d , -f 1
"$lemnos" runs exclude 2 3 3 --why "$(printf 'a \033[1mnoisy\nnight')" --kb a.kb
"$lemnos" runs show 3 --kb a.kb | tail -n 1
"$lemnos" runs include 3 4 --kb a.kb
"$lemnos" runs include 4 --kb a.kb
"$lemnos" runs include 1 --kb a.kb
"$lemnos" runs --where excluded --kb a.kb --format csv | cut -d , -f 1
"$lemnos" runs exclude 3 999999 --why "no such run" --kb a.kb
"$lemnos" runs --where excluded --kb a.kb --format csv | cut -d , -f 1
