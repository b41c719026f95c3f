cp "$loaded" a.kb
ask() { "$lemnos" evaluate --kb a.kb --machine sp2like --predictors power-law,nearest-neighbours "$@"; }
ask --format csv >a.csv
cut -d , -f 1-7 a.csv
ask --format csv | cmp - a.csv
# shares are shares, wider intervals hold more, and the 90th percentile is above the median
awk -F , 'NR > 1 && ($8 < 0 || $8 > $9 || $11 > $13 || $13 > $15 || $15 > $17 || $17 > 1 || $19 < 1)' a.csv
# the binomial error of the coverage at 90 %
awk -F , 'NR > 1 && ($16 - sqrt($15 * (1 - $15) / $7))^2 > 1e-20' a.csv
ask --protocols rows | sed -n 1,2p
ask --protocols rows --format json | jq -c '.format_version, (.evaluation | length), .evaluation[0].held_out'
