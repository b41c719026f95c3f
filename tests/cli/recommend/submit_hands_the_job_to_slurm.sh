# The answer, then what came of it; sbatch gets the script, and what nobody's environment overrides.
. "$cases/advice/fake_slurm"
"$lemnos" recommend --problem n=40 --deadline 1h --submit >out
sed -n '/^submit/p; /^then/p' out | hide
cat arguments
sed -n '/^#SBATCH/p; /^# When/,$p' script | hide | sed "s|$PWD|HERE|"
bash -n script
echo "--- the script runs: times and exit status are told"
printf '#!/bin/sh\necho "wall_s 39.5" >>"$LEMNOS_TIME_FILE"\nexit $NAP_ENDS\n' >nap
printf '#!/bin/sh\nexec "$@"\n' >bin/srun
chmod +x nap bin/srun
NAP_ENDS=0 bash script
echo "exit status $?"
NAP_ENDS=3 bash script
echo "exit status $?"
sed -E 's/[0-9]{10}[.][0-9]+/TIME/' "$(cat name).time"
echo "--- a folder that cannot be written to ends no job"
sed 's|^export LEMNOS_TIME_FILE=.*|export LEMNOS_TIME_FILE=/nowhere/x|' script >elsewhere
NAP_ENDS=0 bash elsewhere 2>/dev/null
echo "exit status $?"
echo "--- what the base knows"
sqlite3 a.kb "SELECT job_name, folder, limit_s, slurm_id, cluster, state, settled, length(advice_id) FROM advice_job" |
	hide | sed "s|$PWD|HERE|"
echo "--- once more, while it is open"
"$lemnos" recommend --problem n=40 --deadline 1h --submit 2>&1 >out | hide
echo "--- another is wanted, on another cluster, by a machine's reader"
"$lemnos" recommend --problem n=40 --deadline 1h --submit --accept again --cluster far --format json >out.json
echo "exit status $?"
cat arguments
jq -c '.job | [.submitted, .slurm_id, .cluster, .limit_s > 0, .reason, .doubts, (.script | length > 0)]' out.json
wc -l <submitted
