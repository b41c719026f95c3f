# shellcheck shell=bash
# sbatch that heard no answer may have submitted the job: it is looked for by its name, for two minutes.
. "$cases/acquire/fake_slurm"
touch holds unclear
echo "-- it had been taken"
"$lemnos" acquire run jobs.plan >log 2>&1 &
runner=$!
known() {
	[ "$(sqlite3 -cmd '.timeout 60000' kb 'SELECT count(*) FROM campaign_run WHERE job IS NOT NULL')" = 1 ]
}
await known
kill -9 $runner
wait $runner 2>/dev/null
sed 's/lemnos-[0-9a-f]*/lemnos-UID/' log
echo "found by its name, its number is kept"
runs
run_job 41
"$lemnos" acquire resume toy
runs
echo "-- nobody runs the campaign, and nobody heard the number: it is cancelled by its name"
sed 's/name = "toy"/name = "second"/' jobs.plan >second.plan
rm kb && "$lemnos" init --quiet >/dev/null && "$lemnos" apps add toy.conf --quiet
"$lemnos" acquire run second.plan >log 2>&1 &
runner=$!
await grep -q '^42 ' jobs
kill -9 $runner
wait $runner 2>/dev/null
sqlite3 -cmd '.timeout 60000' kb "UPDATE campaign_run SET job = NULL"
"$lemnos" acquire stop second --now
grep -o '^42 [A-Z]*' jobs
echo "-- it had not been taken"
sed 's/name = "toy"/name = "third"/' jobs.plan >third.plan
rm kb && "$lemnos" init --quiet >/dev/null && "$lemnos" apps add toy.conf --quiet
echo lost >unclear
: >asked
"$lemnos" acquire run third.plan >log 2>&1 &
runner=$!
await test -s asked
kill -INT $runner
wait $runner
echo "it ended with $?"
runs
rm unclear holds
echo "two minutes later"
sqlite3 kb "UPDATE campaign_run SET started_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-121 seconds')"
"$lemnos" acquire resume third
runs
