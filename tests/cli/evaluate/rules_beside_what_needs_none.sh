cp "$loaded" a.kb
# two thirds of the runs are enough to say all of this
sqlite3 a.kb 'PRAGMA foreign_keys = ON; DELETE FROM stored_sweep3d WHERE it_g > 90 OR it_g + kt = 100'
"$lemnos" evaluate --kb a.kb --machine local-2core --rules --format csv >a.csv
# how much rules have to say about is theirs
awk -F , -v OFS=, 'NR == 1 || $4 == "error of time" || $4 == "regret by case" { print $3, $4, $5, $7 }' a.csv
cut -d , -f 4 a.csv | sort -u
"$lemnos" evaluate --kb a.kb --machine local-2core --rules --seed 2 --format csv | cmp -s - a.csv ||
	echo "another seed holds out others"
# shares are shares, and the 90th percentile is above the median
awk -F , 'NR > 1 && ($9 > 1 || $13 > 1 || $10 < 0 || $10 > $11)' a.csv
