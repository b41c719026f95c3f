cp "$loaded" a.kb
"$lemnos" evaluate --kb a.kb --machine local-2core --rules --format csv >a.csv
cut -d , -f 1-5,7 a.csv
"$lemnos" evaluate --kb a.kb --machine local-2core --rules --format csv | cmp - a.csv
"$lemnos" evaluate --kb a.kb --machine local-2core --rules --seed 2 --format csv | cmp -s - a.csv ||
	echo "another seed holds out others"
# shares are shares, and the 90th percentile is above the median
awk -F , 'NR > 1 && ($9 > 1 || $13 > 1 || $10 < 0 || $10 > $11)' a.csv
"$lemnos" evaluate --kb a.kb --machine local-2core --rules | sed -n 1p
