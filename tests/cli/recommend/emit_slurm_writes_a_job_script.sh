# Times and choices are the predictor's business; what is fixed here is the form.
cp "$mined" a.kb
"$lemnos" recommend --kb a.kb --machine iblike --problem 50x50x50 --objective time --mk 10 --mmi 3 \
	--grid 2x3 --emit slurm >job.sh
sed -E 's/[0-9]+(d|h|m) [0-9]+(h|m|s)/TIME/g; s/[0-9.]+ (s|ms|us)\>/TIME/g; s/explain [0-9a-f]+/explain ID/
	s/--time=[0-9:-]+/--time=LIMIT/; s/support: .*/support: SUPPORT/' job.sh
bash -n job.sh || echo "bash does not take it"

# What sbatch takes at all it takes here too; a cluster may want more than any script can know.
printf '#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --time=00:01:00\ntrue\n' >one.sh
if command -v sbatch >/dev/null && sbatch --test-only one.sh >/dev/null 2>&1; then
	"$lemnos" recommend --kb a.kb --machine iblike --problem 50x50x50 --objective time \
		--grid 1x1 --emit slurm 2>/dev/null >job1.sh
	sbatch --test-only job1.sh >/dev/null 2>sbatch.err || cat sbatch.err
fi

# It runs: srun and the program are played by scripts.
mkdir bin
printf '#!/bin/sh\necho "srun $*"\nexec "$@"\n' >bin/srun
printf '#!/bin/sh\nhead -1 input\npwd\n' >sweep3d.mpi
chmod +x bin/srun sweep3d.mpi
SLURM_JOB_ID=17 PATH="$PWD/bin:$PATH" bash job.sh
echo "--- the answer is remembered"
"$lemnos" explain --kb a.kb "$(sed -n 's/.*lemnos explain //p' job.sh)" |
	sed -E "1s/[0-9a-f]{16}/ID/; 1q"
