. "$cases/advice/fake_slurm"
jobs() {
	sqlite3 a.kb "SELECT state, slurm_id IS NULL FROM advice_job"
}
echo "--- refused: its words, and no job"
printf 'sbatch: error: invalid partition specified: short\nsbatch: error: Batch job submission failed: Invalid partition name specified\n' >refusal
"$lemnos" recommend --problem n=40 --deadline 1h --submit 2>&1 >out
echo "exit status $?"
jobs
echo "--- no answer: a job that may be there"
echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >refusal
"$lemnos" recommend --problem n=40 --deadline 1h --submit 2>&1 >out | hide
jobs
"$lemnos" recommend --problem n=40 --deadline 1h --submit 2>&1 >out | hide
rm refusal
wc -l <submitted
echo "--- the partition gives less"
echo 'short|0:01:00|1-infinite' >partitions
"$lemnos" recommend --problem n=50 --deadline 1h --submit 2>&1 >out
echo "exit status $?"
rm partitions
wc -l <submitted
echo "--- options"
for options in "--dry-run" "--accept outside" "--cluster x" "--submit --emit slurm" "--submit --accept all" "--risk 0.1"; do
	"$lemnos" recommend --problem n=40 --deadline 1h $options
	echo "exit status $?"
done
