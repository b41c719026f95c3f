# shellcheck shell=bash
# What no partition would ever run is not submitted: the limits of the runs of a job add up.
. "$cases/acquire/fake_slurm"
printf 'short*|0:05:00|1-infinite\nlong|1-00:00:00|1-4\nfree|infinite|1-infinite\n' >partitions
plan() { # NAME LAUNCHER-KEYS
	sed "s/name = \"toy\"/name = \"$1\"/; s/repeats = 2/repeats = 1/
		s/seed = 7/launcher = { kind = \"slurm\"; $2 }; seed = 7/" toy.plan >"$1.plan"
}
echo "-- eight runs of a minute in one allocation, of a partition that gives five"
plan all "runs_per_job = 8;"
"$lemnos" acquire run all.plan 2>&1
echo "exit status $?, submitted: $(wc -l <submitted)"
runs | sort | uniq -c | sed 's/^ *//' | cut -d: -f2 | sort | uniq -c | sed 's/^ *//'
sed -i 's/runs_per_job = 8/runs_per_job = 2/' all.plan
echo "-- the plan changed, the same campaign"
"$lemnos" acquire run all.plan --quiet 2>&1
echo "exit status $?, submitted: $(wc -l <submitted)"
echo "-- two of them at a time are short enough"
plan two "runs_per_job = 2;"
"$lemnos" acquire run two.plan --quiet 2>&1
echo "exit status $?, submitted: $(wc -l <submitted)"
echo "-- another partition gives a day: by the plan, by the environment"
plan day "runs_per_job = 8; options = [ \"--partition=long\" ];"
"$lemnos" acquire run day.plan --quiet 2>&1
echo "exit status $?"
plan either "runs_per_job = 8;"
SBATCH_PARTITION=short,free "$lemnos" acquire run either.plan --quiet 2>&1
echo "exit status $?"
echo "-- a single run of an hour"
sed -i 's/fixed = "1m"/fixed = "1h"/' toy.plan
plan hour ""
"$lemnos" acquire run hour.plan 2>&1
echo "exit status $?"
echo "-- more nodes than a job may have"
sed -i 's/nodes=1/nodes=5/' toy.plan
plan wide "options = [ \"--partition=long\" ];"
"$lemnos" acquire run wide.plan 2>&1
echo "exit status $?"
