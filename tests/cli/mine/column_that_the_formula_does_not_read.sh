# Sweep3D built by two compilers, of which the definition says nothing: half of the runs took 2.5 times as
# long. The import says so; with the column in the definition the formula has a factor for it.
awk -F, '{ sub(/\r$/, "") } NR == 1 { print $0 ",compiler"; for (i = 1; i <= NF; i++) if ($i == "runtime_s") time = i; next }
	NR % 4 == 2 { OFS = ","; print $0 ",O3"; $time *= 2.5 * (1 + (NR % 7 - 3) / 100); print $0 ",O0" }' "$data/runs/simulated_sp2like.csv" >runs.csv
export LEMNOS_KB=base.kb
"$lemnos" init >/dev/null
"$lemnos" ingest runs.csv 2>&1 | grep -v "^  new"
"$lemnos" mine
echo "--- as a tunable"
"$lemnos" apps show sweep3d --definition >sweep3d.conf
sed '/name = "mmi";/s/ }$/ },\n    { name = "compiler"; type = "text"; candidates = "seen"; doc = "compiler flags"; }/' sweep3d.conf >with.conf
diff sweep3d.conf with.conf
"$lemnos" apps add with.conf
"$lemnos" imports undo 1 >/dev/null
"$lemnos" ingest runs.csv --quiet
"$lemnos" mine
"$lemnos" predict --problem 280x280x255 --grid 4x4 --set nodes=16 --mk 10 --mmi 3 --set compiler=O0,O3
"$lemnos" recommend --problem 280x280x255 --deadline 15m | sed -n 1,3p
"$lemnos" recommend --problem 280x280x255 --deadline 15m --format json | jq -r .evidence.explanation | grep -o 'compiler O0[^.]*[.][^.]*[.]'
echo "--- one that was tried on small problems only is not known on large ones, where others were run"
awk -F, '{ sub(/\r$/, "") } NR == 1 { print $0 ",compiler"; for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ OFS = ","; print $0 ",std"; if ($at["it_g"] * $at["jt_g"] * $at["kt"] <= 4e5 && NR % 2) { $at["runtime_s"] *= 0.7; print $0 ",fast" } }' \
	"$data/runs/simulated_sp2like.csv" >tried.csv
"$lemnos" apps add with.conf --kb tried.kb >/dev/null
"$lemnos" ingest tried.csv --kb tried.kb --quiet
"$lemnos" mine --kb tried.kb --quiet >/dev/null
for problem in 280x280x255 20x20x400; do
	"$lemnos" predict --kb tried.kb --problem $problem --grid 2x2 --set nodes=4 --mk 10 --mmi 3 --set compiler=fast,std --format csv | cut -d, -f 14-19
done
"$lemnos" recommend --kb tried.kb --problem 280x280x255 --deadline 15m | grep -E '^(Submit|In these)'
"$lemnos" recommend --kb tried.kb --problem 280x280x255 --deadline 15m --set compiler=fast | sed -n 1,4p | cut -c 1-150
