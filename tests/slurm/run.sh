#!/bin/bash
# From advice to job to ledger with a real Slurm of one node (tests/slurm/cluster.sh): recommendations are
# submitted, jobs run, fail, meet their limit, are cancelled, and one is submitted by a lemnos that is killed
# before it hears of it; `advice sync` imports what became of them, once. Then a job on a Slurm without
# accounting. Takes a minute, most of it Slurm's own: it looks for jobs over their limit every half minute.
# usage: run.sh BUILD_FOLDER        skipped, and said so, where Slurm is not installed or nobody is root
set -u
# shellcheck source=tests/slurm/begin.sh
. "$(dirname "$0")/begin.sh"

state_of() { # SLURM ID
	sql "SELECT state FROM advice_job WHERE slurm_id = '$1'"
}
sync_jobs() {
	"$lemnos" advice sync --format json >sync.json 2>sync.err || cat sync.err >&2
}
# Asks until no job waits for its outcome.
sync_all() {
	local end=$((SECONDS + cluster_patience_s))
	while sync_jobs && [ "$(sql 'SELECT count(*) FROM advice_job WHERE NOT settled')" != 0 ]; do
		if [ $SECONDS -ge $end ]; then
			echo "slurm: waited in vain for these jobs:" >&2
			sql 'SELECT * FROM advice_job WHERE NOT settled' >&2
			squeue >&2
			return 1
		fi
		sleep 0.2
	done
}

# ---- what is run: naps. 13 fails, 99 never ends, 77 takes its time and tells a time of its own

cat >nap <<'END'
#!/bin/sh
case $1 in
13) echo "13 is unlucky" >&2; exit 3 ;;
77) echo "wall_s 0.25" >>"$LEMNOS_TIME_FILE" ;;
99) exec sleep 1000 ;;
esac
exec sleep "$(echo "$1 * $2" | awk '{ print $1 * $3 / 20 }')"
END
chmod +x nap
cat >nap.conf <<'END'
application = {
  name = "nap";
  title = "sleeps";
  problem = ( { name = "n"; min = 1; } );
  resources = ( { name = "nodes"; min = 1; flag = "nodes"; }, { name = "procs"; min = 1; candidates = "list"; list = [ 1 ]; } );
  tunables = ( { name = "how"; candidates = "list"; list = [ 1, 2 ]; flag = "how"; } );
  target = { name = "time"; unit = "s"; };
  job = { command = "./nap {n} {how}"; };
};
END
cat >here.conf <<'END'
machine = {
  name = "here";
  title = "the cluster of this test";
  nodes = 1;
  cores_per_node = 1;
  slurm = { startup_s = 0; options = [ "--mem=0", "--overcommit" ]; };
};
END
{
	echo n,how,nodes,procs,time
	for n in 5 10 13 20 40 60 77 99 120; do
		for how in 1 2; do
			for r in 0 1 2; do
				awk -v n=$n -v how=$how -v r=$r 'BEGIN { OFS = ","; print n, how, 1, 1, n * how / 20 * (1 + 0.01 * r) }'
			done
		done
	done
} >runs.csv
{
	"$lemnos" init && "$lemnos" apps add nap.conf && "$lemnos" machines add here.conf &&
		"$lemnos" ingest runs.csv --app nap --machine here && "$lemnos" mine
} >prepare.log 2>&1 || { cat prepare.log >&2; exit 1; }

submit() { # N OPTION...: prints the job's number
	"$lemnos" recommend --problem "n=$1" --deadline 1h --submit --format json "${@:2}" >"job$1.json" 2>"job$1.err" ||
		cat "job$1.err" >&2
	jq -r '.job.slurm_id' "job$1.json"
}

# ---- with accounting

cluster_start "$work/a" dbd || exit 1

done_job=$(submit 20)
failed_job=$(submit 13)
cut_job=$(submit 99)
# Slurm's limits are whole minutes; its administrator may say otherwise.
own_job=$(submit 77)
verdict "a job is submitted" "$(jq -c '[.job.submitted, .job.reason]' job20.json)" '[true,null]'
verdict "numbers of jobs" "$done_job $failed_job $cut_job $own_job" "1 2 3 4"
verdict "it is in the queue by its name" "$(squeue --noheader --states=all --jobs="$done_job" --format=%j)" \
	"$(jq -r .job.name job20.json)"
verdict "the same again is refused" "$("$lemnos" recommend --problem n=99 --deadline 1h --submit 2>&1 >/dev/null |
	grep -c "job $cut_job of this recommendation")" 1

# Killed between sbatch and its answer: the number is never heard.
cat >"$work/bin/sbatch" <<'END'
#!/bin/sh
PATH=${PATH#*:}
sbatch "$@" >"$LOST_ANSWER"
kill -9 "$PPID"
END
chmod +x "$work/bin/sbatch"
status=$(LOST_ANSWER=$work/lost PATH="$work/bin:$PATH" "$lemnos" recommend --problem n=10 --deadline 1h --submit >killed.out 2>&1
	echo $?)
verdict "lemnos was killed" "$status" 137
lost_job=$(cat "$work/lost")
verdict "it had announced the job" "$(sql 'SELECT state, slurm_id IS NULL FROM advice_job ORDER BY submitted_at DESC, slurm_id IS NOT NULL LIMIT 1')" "unknown|1"

# Waits for ever, then is cancelled.
held_job=$(SBATCH_HOLD=1 submit 5)
scontrol hold "$held_job" >/dev/null 2>&1
sync_jobs
case $(state_of "$held_job") in
pending | running | completed) n_passed=$((n_passed + 1)) ;;
*) verdict "a job that waits" "$(state_of "$held_job")" pending ;;
esac
cluster_wait "the job without end to start" sh -c "test \"\$(squeue --noheader --jobs=$cut_job --format=%T)\" = RUNNING"
# Cut before its command began it would be no run.
cluster_wait "its command to begin" grep -q began "$(jq -r .job.name job99.json).time"
scontrol update "JobId=$cut_job" EndTime=now+2 >/dev/null || echo "slurm: the limit could not be shortened" >&2
scancel "$held_job"

sync_all || n_failed=$((n_failed + 1))
verdict "completed" "$(state_of "$done_job")" completed
verdict "failed" "$(state_of "$failed_job")" failed
verdict "met its limit" "$(state_of "$cut_job")" timeout
verdict "lost and found" "$(state_of "$lost_job")" completed
case $(state_of "$held_job") in
cancelled | completed) n_passed=$((n_passed + 1)) ;;
*) verdict "cancelled" "$(state_of "$held_job")" cancelled ;;
esac

run_of() { # SLURM ID, COLUMNS
	sql "SELECT $2 FROM runs_nap JOIN import USING (import_id) JOIN advice_job ON import_sha256 = sha256 WHERE slurm_id = '$1'"
}
verdict "the run of the completed job" "$(run_of "$done_job" 'n, how, runs_nap.nodes, source, status, repeat')" \
	"20|1|1|measured|ok|$done_job"
# 20 * 1 / 20 s, and what starting a program takes
verdict "its time is that of the command" "$(run_of "$done_job" "timed_by, runs_nap.wall_s BETWEEN 1 AND elapsed_s + 2")" "command|1"
verdict "the program's own time" "$(run_of "$own_job" 'timed_by, runs_nap.wall_s')" "application|0.25"
verdict "the run of the failed job" "$(run_of "$failed_job" 'n, status, runs_nap.wall_s IS NULL, exit_status')" "13|failed|1|3"
verdict "the run of the cut job" "$(run_of "$cut_job" 'n, status, timed_by, runs_nap.wall_s BETWEEN 1 AND elapsed_s + 2')" "99|timeout|command|1"
verdict "the cluster" "$(sql 'SELECT DISTINCT ran_on FROM advice_job WHERE ran_on IS NOT NULL')" lemnos

runs=$(sql 'SELECT count(*) FROM runs_nap')
sync_jobs
verdict "a second sync has nothing to ask" "$(jq '.jobs | length' sync.json)" 0
"$lemnos" advice sync "$(jq -r .id job20.json)" --format json >again.json
verdict "a job by its recommendation" "$(jq -c '.jobs | map([.slurm_id, .state, .in_time])' again.json)" \
	"[[\"$done_job\",\"completed\",true]]"
verdict "and imports nothing" "$(sql 'SELECT count(*) FROM runs_nap')" "$runs"
verdict "the list shows jobs" "$("$lemnos" advice list --format json |
	jq -c "[.advice[] | select(.job == \"$failed_job\") | .job_state]")" '["failed"]'
verdict "the base is sound" "$("$lemnos" status check 2>&1 | grep -c -i 'sound\|nothing wrong\|ok')" 1
verdict "what sbatch refuses is told" "$("$lemnos" recommend --problem n=40 --deadline 1h --submit --cluster nowhere 2>&1 >/dev/null |
	grep -c "sbatch refused the job: .*nowhere")" 1
verdict "and forgotten" "$(sql "SELECT count(*) FROM advice_job WHERE NOT settled")" 0
cluster_stop
rm -rf "$work/a"

# ---- without

cluster_start "$work/b" none || exit 1
plain_job=$(submit 40)
sync_all || n_failed=$((n_failed + 1))
verdict "without accounting the queue tells" \
	"$(sql "SELECT state, timed_by FROM advice_job WHERE slurm_id = '$plain_job' ORDER BY submitted_at DESC LIMIT 1")" \
	"completed|command"
cluster_stop
finish
