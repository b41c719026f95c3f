# shellcheck shell=bash
# Arrays of jobs: one submission of many, so many of them at a time, each with runs of its own.
. "$cases/acquire/fake_slurm"
array() { # NAME KEYS: a plan
	sed "s/name = \"toy\"/name = \"$1\"/; s/repeats = 2/repeats = 1/
		s/seed = 7/launcher = { kind = \"slurm\"; $2 }; seed = 7/" toy.plan >"$1.plan"
}
echo "-- three jobs of two runs, then what is left"
array all "array = 3; runs_per_job = 2; in_flight = 2;"
"$lemnos" acquire run all.plan --quiet
cat submitted
runs
echo "each was asked for once: $(sort asked | uniq -d | wc -l) of $(wc -l <asked) twice"
sed -n 's/lemnos-[0-9a-f]*/lemnos-UID/; s|/.*/kb|kb|; /SBATCH/p; /ARRAY_TASK/p; /^cd/p' script.41
echo "-- killed before the number was heard, it is found by its name"
rm -rf kb kb.campaigns asked jobs
: >jobs
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
touch holds
echo x >unclear
: >asked
array lost "array = 4; in_flight = 4;"
"$lemnos" acquire run lost.plan >log 2>&1 &
runner=$!
await grep -q '_4 ' jobs
kill -9 $runner
wait $runner 2>/dev/null
rm unclear
sqlite3 -cmd '.timeout 60000' kb "UPDATE campaign_run SET job = replace(job, substr(job, 1, 2), 'lemnos-' || (SELECT substr(uid, 1, 8) FROM campaign) || '-1-1')
	WHERE job GLOB '[0-9]*'"
runs | sed 's/lemnos-[0-9a-f]*/lemnos-UID/'
n=$(sed -n '1s/_.*//p' jobs)
for k in 1 2 3; do run_job "${n}_$k"; done
"$lemnos" acquire resume lost >log 2>&1 &
runner=$!
known() {
	[ "$(runs | grep -c done)" = 3 ] && runs | grep -q "running.*_4"
}
await known
kill -INT $runner
wait $runner
echo "it ended with $?, cancelled: $(sed "s/$n/N/" cancelled)"
runs | sed "s/lemnos-[0-9a-f]*/lemnos-UID/; s/$n/N/" | head -4
rm holds
"$lemnos" acquire resume lost 2>&1 | tail -1
echo "each was asked for once: $(grep -v '^-' asked | sort | uniq -d | wc -l) twice"
