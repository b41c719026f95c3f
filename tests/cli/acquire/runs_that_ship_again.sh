# Runs of campaigns that ship are made again by SimGrid, with the same times.
kernels=$(dirname "$lemnos")/kernels runs=$data/runs/campaigns
command -v smpirun >/dev/null && [ -r "$kernels/wavefront_smpi" ] || { echo "there is no SimGrid" >&2; exit 77; }
smpirun -version 2>&1 | grep -q "version 3\.32" || { echo "they are of SimGrid 3.32" >&2; exit 77; }
# The first run of a file that has so many processes, by the command of its plan.
again() { # NAME MACHINE PROCESSES
	row=$(awk -F, -v p="$3" 'NR > 1 && $7 * $8 == p { print; exit }' "$runs/wavefront_$2.csv")
	{
		echo "campaign = { name = \"$1\"; application = \"sweep3d\"; machine = \"$2\"; constants = \"iterations=2\"; factors = ("
		echo "$row" | awk -F, '{ printf "{ column = \"problem\"; levels = [ \"%sx%sx%s\" ]; }, { column = \"grid\"; levels = [ \"%sx%s\" ]; },\n", $4, $5, $6, $7, $8
			printf "{ column = \"mk\"; levels = [ %s ]; }, { column = \"mmi\"; levels = [ %s ]; } );\n", $10, $11 }'
		sed -n '/^  command/,$p' "$data/campaigns/wavefront-$2.plan"
	} >"$1.plan"
	PATH=$kernels:$PATH "$lemnos" acquire run "$1.plan" --quiet >said 2>&1 || cat said
	"$lemnos" acquire status "$1" --format csv | awk -F, -v was="$(echo "$row" | cut -d , -f 13)" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ t = $at["wall_s"]; print (t / was - 1 < 1e-6 && was / t - 1 < 1e-6) ? "again" : t " s, and was " was " s" }'
}
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
for machine in ib16 eth16; do "$lemnos" machines add "$data/campaigns/$machine.conf"; done
again one ib16 4
again two eth16 4
again three eth16 25
