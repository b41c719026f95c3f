# shellcheck disable=SC2154
export LEMNOS_KB=here.kb
{
	echo it_g,jt_g,kt,npe_i,npe_j,mk,mmi
	for grid in 1,2 2,2 2,4 4,4; do
		for problem in 50,50,50 100,100,50 150,150,100; do
			for block in 5,1 10,3; do echo "$problem,$grid,$block"; done
		done
	done
} >asked.csv
ask() { # what is predicted over what the model says (28.06 s), to the tenth
	"$lemnos" predict --problem 100x100x50 --grid 2x2 --mk 10 --mmi 3 --format csv |
		awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { printf "%.1f\n", $at["predicted_s"] / 28.06 }'
}
"$lemnos" model run loggp --from asked.csv --machine sp2 --wg 0.35us --store >modelled.csv
grep '^100,100,50,2,2,10,3' modelled.csv | cut -c 1-26
"$lemnos" mine --verbose --quiet | grep -c modelled
ask
"$lemnos" recommend --problem 100x100x50 --max-nodes 16 --objective time --format json |
	sed -n '/"runs": \[/,$ s/.*"run_id": [0-9]*,/advice rests on them/p' | head -n 1
# measured: the half with the small blocks, twice as slow as the model says
awk -F , 'NR == 1 { print "it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s" }
	$6 == 5 { print $1 "," $2 "," $3 "," $4 "," $5 "," $4 * $5 "," $6 "," $7 "," 2 * $8 }' modelled.csv >measured.csv
"$lemnos" ingest measured.csv --machine sp2 --app sweep3d --quiet >log
"$lemnos" mine --verbose --quiet | grep -oE '12 modelled configurations count|each beside 12 measured ones'
ask
"$lemnos" imports undo 1
"$lemnos" mine --verbose --quiet | grep -c modelled
"$lemnos" runs --format csv --limit 0 | cut -d , -f 4 | sort | uniq -c | sed 's/^ *//'
