cp "$loaded" a.kb
ask() { "$lemnos" evaluate --kb a.kb --machine local-2core --predictors power-law --decisions "$@"; }
ask --format csv >a.csv
cut -d , -f 3-7 a.csv
ask --format csv | cmp - a.csv
# nobody is better than the best; shares are shares; no more than was asked
awk -F , 'NR > 1 && (($11 != "" && $11 < 1) || $9 > 1 || $7 > $6 || $8 > $6)' a.csv
ask | sed -n 1,2p
ask --seed 2 --format csv | cmp -s - a.csv || echo "another seed sees others"
