#!/bin/bash
# Campaigns with the launcher slurm on a real Slurm of one node (cluster.sh), each run a job. With accounts: killed in
# between and resumed, no run is lost or made twice; one that hangs is cut at its limit. The same with several runs in
# each job, in an array, and with an allocation that ends in the middle. Without: jobs that somebody cancels are run
# again, and an interrupt cancels them, also tasks of an array that wait.
# usage: campaign.sh BUILD_FOLDER        skipped, and said so, where Slurm is not installed or nobody is root
set -u
# shellcheck source=tests/slurm/begin.sh
. "$(dirname "$0")/begin.sh"

mkdir "a campaign"
cd "a campaign" || exit 1
cp "$tree/tests/fixtures/campaign/"* .
cat >here.conf <<'END'
machine = {
  name = "here";
  title = "the cluster of this test";
  nodes = 1;
  cores_per_node = 1;
  slurm = { startup_s = 0; options = [ "--mem=0", "--overcommit", "--oversubscribe" ]; };
};
END
slurm_plan() { # FROM TO IN_FLIGHT SED-COMMAND: limits of 30 s, which no run here needs
	sed "s/timeout = /launcher = { kind = \"slurm\"; in_flight = $3; }; timeout = /; s/repeats = 2/repeats = 1/
		s/fixed = \"1m\"/fixed = \"30s\"/; $4" "$1" >"$2"
}
slurm_plan toy.plan jobs.plan 3 ""
slurm_plan hang.plan hang_jobs.plan 1 ""
{ "$lemnos" init && "$lemnos" apps add toy.conf && "$lemnos" machines add here.conf; } >prepare.log 2>&1 ||
	{ cat prepare.log >&2; exit 1; }

# ---- with accounts

cluster_start "$work/a" dbd || exit 1

# Eight of them: 4 parts of 1 are not legal; toy.sh counts how often it is asked.
"$lemnos" acquire run jobs.plan >run.log 2>&1 &
campaign=$!
cluster_wait "the first run" test -s asked
kill -9 $campaign
wait $campaign 2>/dev/null
verdict "killed with jobs under way" "$("$lemnos" acquire status --format csv | awk -F, 'NR == 2 { print $4 }')" interrupted
"$lemnos" acquire resume toy >resume.log 2>&1
verdict "it is resumed to its end" $? 0
verdict "what became of it" "$(tail -n 1 resume.log)" "campaign toy, done: 7 of 8 done, 1 failed"
[ $n_failed -eq 0 ] || tail -n 20 run.log resume.log >&2
verdict "each run was made once" "$(sort asked | uniq -d)" ""
verdict "all of them" "$(sort asked | tr '\n' ' ')" "1 1 1 2 3 1 3 2 3 4 4 1 4 2 4 4 "
# 0.5 n / p + 0.01 p s
verdict "times are those that were printed" "$(sql "SELECT group_concat(wall_s, ' ') FROM (SELECT wall_s FROM stored_toy
	WHERE status = 'ok' ORDER BY wall_s)")" "0.27 0.51 0.54 0.77 1.02 1.51 2.01"
verdict "as many jobs as runs" "$(sacct --noheader --parsable2 --allocations --starttime=now-1days --format=JobID | wc -l)" 8
verdict "all numbers are known" "$(sql 'SELECT count(DISTINCT job) FROM campaign_run WHERE attempt = 1')" 8
"$lemnos" acquire resume toy >again.log 2>&1
verdict "nothing is left to do" "$(wc -l <asked)" 8
"$lemnos" acquire run hang_jobs.plan >hang.log 2>&1
verdict "one that hangs is cut at its limit" "$(sql "SELECT status, wall_s FROM stored_toy WHERE n = 9")" "timeout|1.0"

# Runs 1 to 3 share an allocation, so do 4 to 6, 7 and 8; two of these jobs at a time, in an array.
rm asked
slurm_plan toy.plan array.plan 2 's/in_flight/runs_per_job = 3; array = 8; in_flight/; s/name = "toy"/name = "array"/'
"$lemnos" acquire run array.plan >array.log 2>&1 &
campaign=$!
cluster_wait "the first run" test -s asked
kill -9 $campaign
wait $campaign 2>/dev/null
# As if it had been killed before it heard the number.
sql "UPDATE campaign_run SET job = 'lemnos-' || (SELECT substr(uid, 1, 8) FROM campaign WHERE name = 'array') || '-1-1' ||
	substr(job, instr(job, '_')) WHERE job LIKE '%\_%' ESCAPE '\' AND state = 'running'"
"$lemnos" acquire resume array >resume.log 2>&1
verdict "the array is resumed to its end" "$(tail -n 1 resume.log)" "campaign array, done: 7 of 8 done, 1 failed"
[ $n_failed -eq 0 ] || tail -n 20 array.log resume.log >&2
verdict "each run of the array was made once" "$(sort asked | tr '\n' ' ')" "1 1 1 2 3 1 3 2 3 4 4 1 4 2 4 4 "
verdict "it was one submission of three jobs" "$(sacct --noheader --parsable2 --allocations --starttime=now-1days --format=JobID |
	grep -c '_[123]$')" 3

# Eight half hours are more than the hour of the partition; sbatch would take such a job and never run it.
slurm_plan toy.plan long.plan 1 's/in_flight/runs_per_job = 8; in_flight/; s/name = "toy"/name = "long"/; s/fixed = "30s"/fixed = "30m"/'
verdict "what the partition never runs is not submitted" "$("$lemnos" acquire run long.plan 2>&1 |
	grep -c "asks for 242 min, and Slurm's partition test gives a job at most 60 min")" 1
verdict "nothing of it is in the queue" "$(squeue --noheader)" ""

# n = 9 hangs; the others are done at once. Its allocation ends when it came to it, long before its own limit.
slurm_plan toy.plan cut.plan 1 's/in_flight/runs_per_job = 8; in_flight/; s/name = "toy"/name = "cut"/; s/1, 3, 4/1, 4, 9/
	s/from = 1; to = 4; factor = 2;/levels = [ 1 ];/; s/fixed = "30s"/fixed = "5m"/'
rm asked
"$lemnos" acquire run cut.plan >cut.log 2>&1 &
campaign=$!
cluster_wait "the run that hangs" grep -q '^9' asked
before=$(wc -l <asked)
scancel "$(sql "SELECT max(job) FROM campaign_run JOIN campaign USING (campaign_id) WHERE name = 'cut' AND campaign_run.state = 'running'")"
again() {
	[ "$(grep -c '^9' asked)" = 2 ]
}
cluster_wait "the run that hangs, again" again
verdict "what was done before is not done again" "$(head -n "$before" asked | grep -v '^9' | sort | tr '\n' ' ')" \
	"$(grep -v '^9' asked | sort -u | head -n $((before - 1)) | tr '\n' ' ')"
"$lemnos" acquire stop cut --now >stop.log 2>&1
wait $campaign
verdict "no run failed or took too long" "$(sql "SELECT count(*) FROM campaign_run JOIN campaign USING (campaign_id) WHERE
	name = 'cut' AND campaign_run.state NOT IN ('done', 'planned')")" 0
cluster_stop
rm -rf "$work/a"

# ---- without

cluster_start "$work/b" none || exit 1
slurm_plan hang.plan cancel.plan 1 's/name = "hang"/name = "cancel"/; s/fixed = "1s"/fixed = "30m"/'
job_of() { # ATTEMPT: its number, once it is known
	sql "SELECT job FROM campaign_run JOIN campaign USING (campaign_id) WHERE name = 'cancel' AND attempt = $1 AND job IS NOT NULL
		AND campaign_run.state = 'running'"
}
has_job() {
	[ -n "$(job_of "$1")" ]
}
nothing_queued() {
	[ -z "$(squeue --noheader)" ]
}
"$lemnos" acquire run cancel.plan >cancel.log 2>&1 &
campaign=$!
cluster_wait "a job" has_job 1
scancel "$(job_of 1)"
cluster_wait "another job" has_job 2
verdict "a cancelled job is submitted again" "$(has_job 2 && echo yes)" yes
kill -INT $campaign
wait $campaign
verdict "an interrupt cancels the job" $? 130
cluster_wait "an empty queue" nothing_queued
verdict "nothing is left in the queue" "$(squeue --noheader)" ""
"$lemnos" acquire resume cancel >second.log 2>&1 &
campaign=$!
cluster_wait "a third job" has_job 3
"$lemnos" acquire stop cancel --now >stop.log 2>&1
wait $campaign
cluster_wait "an empty queue" nothing_queued
verdict "nothing is left in the queue after a stop" "$(squeue --noheader)" ""
# One task runs, seven wait.
rm -f asked
slurm_plan toy.plan tasks.plan 1 's/in_flight/array = 8; in_flight/; s/name = "toy"/name = "tasks"/; s/1, 3, 4/9, 11, 12/'
sed -i 's/levels = \[ 9, 11, 12 \]/levels = [ 9 ]/; s/repeats = 1/repeats = 8/; s/from = 1; to = 4; factor = 2;/levels = [ 1 ];/; s/fixed = "30s"/fixed = "30m"/' tasks.plan
"$lemnos" acquire run tasks.plan >tasks.log 2>&1 &
campaign=$!
cluster_wait "a task" test -s asked
kill -INT $campaign
wait $campaign
verdict "an interrupt cancels the tasks" $? 130
cluster_wait "an empty queue" nothing_queued
verdict "all are planned again" "$(sql "SELECT count(*) FROM campaign_run JOIN campaign USING (campaign_id) WHERE name = 'tasks' AND
	campaign_run.state = 'planned'")" 8
[ $n_failed -eq 0 ] || tail -n 20 cut.log tasks.log >&2
verdict "the base is sound" "$("$lemnos" status check 2>&1 | grep -c 'nothing wrong')" 1
cluster_stop
finish
