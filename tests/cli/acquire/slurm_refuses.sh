# shellcheck shell=bash
# A refusal of sbatch may be of the moment; three in a row while nothing of ours runs are not.
. "$cases/acquire/fake_slurm"
echo "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy" >refusals
"$lemnos" acquire run jobs.plan 2>&1
runs
sed 's/name = "toy"/name = "never"/' jobs.plan >never.plan
for _ in 1 2 3 4; do echo "sbatch: error: invalid partition specified: fast"; done >refusals
"$lemnos" acquire run never.plan 2>&1
echo "it ended with $?, refusals left: $(wc -l <refusals)"
"$lemnos" acquire status never --format csv | cut -d, -f1,5
