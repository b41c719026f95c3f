# shellcheck shell=bash
# Jobs that tell nothing about the configuration, and those whose end is late or told by a signal.
. "$cases/acquire/fake_slurm"
named() { # NAME SED-COMMAND: a plan
	sed "s/name = \"toy\"/name = \"$1\"/; $2" jobs.plan >"$1.plan"
}
echo "-- they complete, and the folder is not the one that we see: three are enough"
touch no_end
named far 's/to = 1/to = 2/; s/repeats = 1/repeats = 4/'
"$lemnos" acquire run far.plan 2>&1
"$lemnos" acquire status far --format csv | cut -d, -f1,5,6,14 | sort | uniq -c | sed 's/^ *//'
rm no_end
echo "-- there is no such program"
named none 's/toy.sh/none.sh/'
"$lemnos" acquire run none.plan --quiet
"$lemnos" acquire status none --format csv | sed -n '2,$s/.*,\(exit status\)/\1/p'
echo "-- it hangs and does not hear SIGTERM: timed out"
# twenty seconds: on a busy machine programs start slowly, and it would hear it before it is deaf
printf '#!/bin/sh\ntrap "" TERM\nwhile :; do sleep 0.05; done\n' >deaf.sh
chmod +x deaf.sh
named deaf 's/toy.sh/deaf.sh/; s/fixed = "1m"/fixed = "20s"/'
"$lemnos" acquire run deaf.plan --quiet
grep exit_status kb.campaigns/deaf/0001.1/end
echo "-- killed long before its limit: failed"
printf '#!/bin/sh\nkill -9 $$\n' >own.sh
chmod +x own.sh
named own 's/toy.sh/own.sh/'
"$lemnos" acquire run own.plan --quiet | sed 's/; stderr: .*//' # the shell of the job names its file
echo "-- Slurm says that it failed before its end is seen here"
touch holds
named late 's/to = 1/to = 1/'
"$lemnos" acquire run late.plan >log 2>&1 &
runner=$!
n=$((41 + $(wc -l <submitted)))
await grep -q "^$n " jobs
: >asked
# it ended in an hour: nobody gives up waiting for the file meanwhile
sed -i "s/^$n [A-Z]* [0-9]* /$n FAILED $(($(date +%s) + 3600)) /" jobs
await test -s asked
run_job $n
wait $runner
tail -1 log
echo "stored runs: $(sqlite3 kb "SELECT group_concat(status, ' ') FROM runs_toy")"
