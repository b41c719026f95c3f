#!/bin/bash
# A campaign with the launcher slurm on a real Slurm of one node that keeps accounts (cluster.sh): each run is a job; one
# fails, one exceeds its time; it is killed in between and resumed, and no run is lost or made twice.
# usage: campaign_accounted.sh BUILD_FOLDER        skipped, and said so, where Slurm is not installed or nobody is root
set -u
# shellcheck source=tests/slurm/begin.sh
. "$(dirname "$0")/begin.sh"

cp "$tree/tests/fixtures/campaign/"* .
cat >here.conf <<'END'
machine = {
  name = "here";
  title = "the cluster of this test";
  nodes = 1;
  cores_per_node = 1;
  slurm = { startup_s = 0; };
};
END
sed 's/repeats = 2;/repeats = 1; launcher = { kind = "slurm"; in_flight = 2; options = [ "--overcommit" ]; };/' toy.plan >jobs.plan
{ "$lemnos" init && "$lemnos" apps add toy.conf && "$lemnos" machines add here.conf; } >prepare.log 2>&1 ||
	{ cat prepare.log >&2; exit 1; }

cluster_start "$work/a" dbd || exit 1

# Eight of them: 4 parts of 1 are not legal; toy.sh counts how often it is asked.
"$lemnos" acquire run jobs.plan >run.log 2>&1 &
campaign=$!
cluster_wait "the first run" test -s asked
kill -9 $campaign
wait $campaign 2>/dev/null
"$lemnos" acquire resume toy >resume.log 2>&1
verdict "it is resumed to its end" $? 0
[ $n_failed -eq 0 ] || tail -n 20 run.log resume.log >&2
verdict "each run was made once" "$(sort asked | uniq -d)" ""
verdict "all of them" "$(sort asked | tr '\n' ' ')" "1 1 1 2 3 1 3 2 3 4 4 1 4 2 4 4 "
verdict "their outcomes" "$(sql "SELECT group_concat(s, ' ') FROM (SELECT status || ' ' || count(*) AS s FROM runs_toy GROUP BY status ORDER BY status)")" \
	"failed 1 ok 6 timeout 1"
# 0.5 * 3 / 2 + 0.01 * 2 s
verdict "a time that the program told" "$(sql "SELECT wall_s FROM runs_toy WHERE n = 3 AND p = 2")" "0.77"
verdict "as many jobs as runs" "$(sacct --noheader --parsable2 --allocations --starttime=now-1days --format=JobID | wc -l)" 8
"$lemnos" acquire resume toy >again.log 2>&1
verdict "nothing is left to do" "$(wc -l <asked)" 8
verdict "the base is sound" "$("$lemnos" status check 2>&1 | grep -c 'nothing wrong')" 1
cluster_stop
finish
