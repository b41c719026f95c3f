# shellcheck shell=bash
# Killed again and again while jobs of several runs are submitted as arrays, run and are imported: each run is made once.
. "$cases/acquire/fake_slurm"
sed 's/repeats = 2/repeats = 1/; s/fixed = "1m"/fixed = "1h"/
	s/seed = 7/launcher = { kind = "slurm"; array = 2; runs_per_job = 2; in_flight = 2; }; seed = 7/' toy.plan >killed.plan
for after in 0.05 0.2 0.1 0.3 0.15 0.4 0.25 60; do
	"$lemnos" acquire run killed.plan >log 2>&1 &
	runner=$!
	if [ $after = 60 ]; then
		wait $runner
		tail -1 log
		break
	fi
	sleep $after
	kill -9 $runner 2>/dev/null # or it has ended
	wait $runner 2>/dev/null
	# a submission that was under way goes on, also one whose process is not sbatch yet; that it was never made is
	# believed after two minutes
	while pgrep -f "acquire run killed.plan|$fake/bin/sbatch" >/dev/null; do sleep 0.02; done
	sqlite3 -cmd '.timeout 60000' kb "UPDATE campaign_run SET started_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-121 seconds')
		WHERE state = 'running'"
done
echo "commands: $(grep -vc '^-' asked), twice: $(grep -v '^-' asked | sort | uniq -d | wc -l)"
sqlite3 kb "SELECT status, count(*) FROM stored_toy GROUP BY status"
"$lemnos" status check | sed 's/.*: //'
