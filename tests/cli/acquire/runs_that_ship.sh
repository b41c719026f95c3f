# The runs that campaigns made (data/runs/campaigns): they are loaded as SOURCES.md says, and what
# is learned from the first ones tells the times of problems that they do not have.
export LEMNOS_KB="$PWD/kb"
runs=$data/runs/campaigns
"$lemnos" init --quiet >/dev/null
for machine in ib16 eth16 epyc-2core; do "$lemnos" machines add "$data/campaigns/$machine.conf"; done
"$lemnos" apps add halo
for plan in "$data"/campaigns/*16*.plan "$data"/campaigns/*-2core.plan; do "$lemnos" acquire plan "$plan" | sed -n 1p; done
for f in "$runs"/*16.csv "$runs"/*_2core.csv; do "$lemnos" ingest --quiet "$f" >/dev/null || echo "$f"; done
"$lemnos" runs export --app sweep3d --format csv | awk -F, 'NR > 1 { n[$3 " " $4]++ } END { for (k in n) print "sweep3d", k, n[k] }' | sort
"$lemnos" runs export --app halo --format csv | awk -F, 'NR > 1 { n[$3 " " $4]++ } END { for (k in n) print "halo", k, n[k] }' | sort
"$lemnos" mine --quiet >/dev/null 2>&1

unseen() { # NAME APPLICATION ERROR
	"$lemnos" predict --app "$2" --from "$runs/$1_unseen.csv" --confidence 0.9 | awk -F, -v name="$1" -v most="$3" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ t = $at["runtime_s"]; p = $at["predicted_s"]; n++
		near += p / t - 1 < most && t / p - 1 < most
		inside += t >= $at["lo_s"] && t <= $at["hi_s"] }
	END { print name ": " n " runs, half of them within " 100 * most " %: " (near >= n / 2 ? "yes" : "no, " near) ", " \
		"three quarters inside: " (inside >= 0.75 * n ? "yes" : "no, " inside) }'
}
unseen wavefront_ib16 sweep3d 0.05
unseen wavefront_eth16 sweep3d 0.08
