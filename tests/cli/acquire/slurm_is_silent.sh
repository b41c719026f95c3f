# shellcheck shell=bash
# Slurm that does not answer is asked again; a job that cannot be cancelled, or asked about, is not submitted again.
. "$cases/acquire/fake_slurm"
touch holds
echo "-- it is silent for a while"
"$lemnos" acquire run jobs.plan >log 2>&1 &
runner=$!
await test -s jobs
echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >silence
await grep -q "does not answer" log
run_job 41
wait $runner
echo "it ended with $?"
cat log
runs
echo "-- interrupted, and it can neither be cancelled nor asked about"
sed 's/name = "toy"/name = "second"/' jobs.plan >second.plan
rm silence kb && "$lemnos" init --quiet >/dev/null && "$lemnos" apps add toy.conf --quiet
"$lemnos" acquire run second.plan >log 2>&1 &
runner=$!
known() { # the submission is over
	runs | grep -q 'job 42$'
}
await known
echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" | tee silence >stubborn
kill -INT $runner
wait $runner
echo "it ended with $?"
cat log
runs
rm silence
echo "-- nor be cancelled, when it is resumed and interrupted again"
: >asked
"$lemnos" acquire resume second >log 2>&1 &
runner=$!
await test -s asked
kill -INT $runner
wait $runner
echo "it ended with $?"
runs
run_job 42
"$lemnos" acquire resume second
runs
echo "jobs submitted: $(wc -l <submitted)"
