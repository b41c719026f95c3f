# shellcheck shell=bash
# What sbatch is given: never to be run again by Slurm, a minute more than the limit, and nothing of the
# environment that would change the job.
. "$cases/acquire/fake_slurm"
cat >here.conf <<'END'
machine = {
  name = "here"; title = "a cluster"; nodes = 1;
  slurm = { startup_s = 90; partition = "short"; account = "me"; options = [ "--mem=0" ]; };
};
END
"$lemnos" machines add here.conf --quiet
export SBATCH_TIMELIMIT=1 SBATCH_WAIT=1 SBATCH_REQUEUE=1 SBATCH_ARRAY_INX=1-5 SBATCH_OUTPUT=x SBATCH_CLUSTERS=far SBATCH_QOS=kept
"$lemnos" acquire run jobs.plan --quiet
cat submitted environment
sed 's/lemnos-[0-9a-f]*/lemnos-UID/' script
