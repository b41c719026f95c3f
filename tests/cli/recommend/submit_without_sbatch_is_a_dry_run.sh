# Where there is no sbatch the script is shown, and the exit status is no success.
. "$cases/advice/fake_slurm"
rm bin/sbatch
mkdir none
echo "--- no sbatch"
PATH=$PWD/none "$lemnos" recommend --problem n=40 --deadline 1h --submit >out 2>err
echo "exit status $?"
hide <err
sed -n '/^what would/,/^#SBATCH/p' out
echo "--- as JSON"
PATH=$PWD/none "$lemnos" recommend --problem n=40 --deadline 1h --submit --format json >out 2>err
echo "exit status $?"
jq -c '.job | [.submitted, .slurm_id, .reason, (.script | split("\n")[0])]' out
echo "--- a dry run that was asked for"
"$lemnos" recommend --problem n=40 --deadline 1h --submit --dry-run >out 2>err
echo "exit status $?"
hide <err
sed -n '/^what would/,/^#SBATCH/p' out
sqlite3 a.kb "SELECT count(*) FROM advice_job"
