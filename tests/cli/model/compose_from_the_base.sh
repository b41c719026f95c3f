cp "$mined" a.kb
compose() {
	"$lemnos" model compose --kb a.kb --app sweep3d --machine "$1" --network "$2" --cpu calibrated \
		--problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 --iterations 7 --format csv
}
# What mining found, within a tenth of what `predict` says: digits of a fit are no golden ones.
compose sp2like loggp,pipeline | tail -n +2 | awk -F , '{ print $2, $4, $5, ($8 > 0) }'
compose sp2like pipeline | tail -n +2 >composed
"$lemnos" predict --kb a.kb --app sweep3d --machine sp2like --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 \
	--iterations 7 --format json | jq .prediction.predicted_s >predicted
awk -F , 'NR == FNR { composed = $8; next } { print (composed / $1 > 0.9 && composed / $1 < 1.1) }' composed predicted
compose sp2 loggp 2>&1
"$lemnos" model components --kb a.kb --format json | jq -r '.components[] | select(.component == "sp2like") | .profile'
# The base's default machine, where it matches.
"$lemnos" machines default sp2like --kb a.kb
ask() {
	"$lemnos" model compose --kb a.kb --app sweep3d --cpu calibrated --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 "$@" 2>&1
}
ask --network pipeline | grep 'machine: .*by'
ask --network loggp-smp --machine sp2
