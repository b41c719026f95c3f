cp "$loaded" a.kb
"$lemnos" evaluate --kb a.kb --machine sp2like --predictors power-law,log-quadratic --format csv >a.csv
cut -d , -f 1-6 a.csv
"$lemnos" evaluate --kb a.kb --machine sp2like --predictors power-law,log-quadratic --format csv | cmp - a.csv
# shares are shares
awk -F , 'NR > 1 && ($7 < 0 || $7 > $8 || $10 < 0 || $10 > 1 || $11 < 1)' a.csv
"$lemnos" evaluate --kb a.kb --machine sp2like --predictors power-law | sed -n 1p
