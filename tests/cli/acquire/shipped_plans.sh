# The plans that ship: the wavefront of kernels/ by mpirun, and simulated, where the adaptive design chooses.
kernels=$(dirname "$lemnos")/kernels
command -v mpirun >/dev/null && [ -x "$kernels/wavefront" ] || { echo "there is no MPI" >&2; exit 77; }
command -v smpirun >/dev/null && [ -r "$kernels/wavefront_smpi" ] || { echo "there is no SimGrid" >&2; exit 77; }
export LEMNOS_KB="$PWD/kb" PATH="$kernels:$PATH"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
cp "$mined" kb
sed 's/repeats = 3/repeats = 1/; s/40x40x40/10x10x40/; s/fixed = "1m"/fixed = "5m"/; s/5, 10, 20, 40/5, 10/' "$data/campaigns/wavefront.plan" >quick.plan
"$lemnos" acquire run quick.plan --quiet | tail -1
"$lemnos" runs list --where "machine = 'this-machine'" --format csv --limit 0 | awk -F, 'END { print NR - 1, "runs" }'
sed 's/size = 40; initial = 20/size = 12; initial = 8/; s/batch = 5/batch = 4/' "$data/campaigns/wavefront-simulated.plan" >sim.plan
"$lemnos" acquire run sim.plan --quiet >said
grep -c '^run' said
tail -1 said | sed 's/, expected loss.*//'
"$lemnos" runs list --where "source = 'simulated' and iterations = 2" --format csv --limit 0 | awk -F, 'END { print NR - 1, "runs" }'
# all of it again is known already, as it has the same time to the last digit
sed 's/name = "wave[^"]*"/name = "again"/; s/design = .*/design = { kind = "full"; };/; s/questions = .*//; s/"40x40x50"/"20x20x50"/; s/"problem"; levels = .*\]/"problem"; levels = [ "20x20x50" ]/; s/"1x2", .*"4x4"/"1x2"/; s/\[ 1, 2, 5, 10, 25, 50 \]/[ 50 ]/' sim.plan >full.plan
"$lemnos" acquire run full.plan --quiet
