cp "$loaded" a.kb
export LEMNOS_KB=a.kb
compare() { "$lemnos" model compare "$@"; }
compare --machine iblike --format csv >iblike.csv
cut -d , -f 1,2 iblike.csv
compare --machine iblike --format csv | cmp - iblike.csv
# errors are shares; models with message sizes are within 10 %, in the middle
awk -F , 'NR > 1 && ($3 <= 0 || $3 > $4 || $4 > 0.5 || $11 < $3)' iblike.csv
awk -F , '$1 ~ /^(loggp|pipeline|plug-sweep3d|wavefront)$/ && $3 < 0.1 { print $1 }' iblike.csv
compare --machine iblike | grep -E '^sweep3d|configurations|not compared'
compare --machine local-2core --held-out processors --format json --plot some.gp |
	grep -E '"(app|machine|held_out|message_costs|runs|reason)"'
grep -c EOD some.gp
for wrong in '--machine sp2' '--machine nowhere' '--held-out x' '--plot x.doc' 'loggp' '--wg 1us' '--mk 3' '--store'; do
	# shellcheck disable=SC2086
	compare --machine iblike $wrong 2>&1
done
# runs that a model made say nothing for it
"$lemnos" model run loggp --machine sp2 --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 --wg 1us --store --quiet >log
compare --machine sp2
