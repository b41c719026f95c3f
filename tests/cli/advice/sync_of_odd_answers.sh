. "$cases/advice/fake_slurm"
sync() {
	echo "--- $1"
	"$lemnos" advice sync --format csv >out.csv 2>err
	echo "exit status $?"
	cut -d, -f2,6,8,26- out.csv | sed 1d | hide
	hide <err
}
sync "nothing was submitted"
submit --problem n=20 >/dev/null
echo '41|COMPLETED|22|60' >sacct
sync "an answer that is cut short"
echo '!Slurm accounting storage is disabled' >sacct
echo '41|RUNNING|0:05|1:00|1795402819|1795402821|1795402881|1|||NAME' >squeue
sync "no accounting: the queue"
echo '!sacct: error: Problem talking to the database: Connection refused' >sacct
: >squeue
sync "the database is down: nothing is concluded"
echo '!squeue: error: no controller' >squeue
sync "nor does the controller answer"
mkdir none
path=$PATH PATH=$PWD/none
echo "--- no Slurm here"
"$lemnos" advice sync 2>&1
echo "exit status $?"
PATH=$path
: >sacct
echo '!slurm_load_jobs error: Invalid job id specified' >squeue
sync "both know nothing of it"
echo '41|COMPLETED|22|60|1|2|24|1|0:0|lemnos|of somebody else' >sacct
sync "a job of this number is another one"
printf 'began 1795402821.5\nended 1795402843.75 0\n' >"$(cat name).time"
: >sacct
sync "but the job itself told its end"
sync "which settles it"

submit --problem n=30 >/dev/null
echo '42|FAILED|0|60|1795402819|1795402821|1795402821|1|127:0|lemnos|NAME' >sacct
sync "no such command"
submit --problem n=40 >/dev/null
echo '43|FAILED|2|60|1795402819|1795402821|1795402823|1|1:0|lemnos|NAME' >sacct
echo 'a module that writes here' >"$(cat name).time"
sync "it failed before its command began"
submit --problem n=50 >/dev/null
echo '44|COMPLETED|0|60|1795402819|1795402821|1795402821|1|0:0|lemnos|NAME' >sacct
sync "no time"
submit --problem n=60 >/dev/null
echo '45|COMPLETED|61|60|1795402819|1795402821|1795402882|1|0:0|lemnos|NAME' >sacct
printf 'began 1795402821.5\nwall_s 59.5\nended 1795402881.5 0\n' >"$(cat name).time"
sync "the program's own time"
submit --problem n=70 >/dev/null
echo '46|COMPLETED|71|60|1795402819|1795402821|1795402892|1|0:0|lemnos|NAME' >sacct
printf 'began 1795302821.5\nwall_s 5e9\nended 1795402881.5 0\n' >"$(cat name).time"
sync "times that cannot be: sacct's"
submit --problem n=80 >/dev/null
echo "47|NODE_FAIL|71|60|1795402819|1795402821|$(date +%s)|1|0:0|lemnos|NAME" >sacct
sync "a node failed: it may be requeued"
echo '47|NODE_FAIL|71|60|1600000000|1600000001|1600000072|1|0:0|lemnos|NAME' >sacct
sync "it was not, in years"
submit --problem n=90 >/dev/null
echo '48|HIBERNATING|71|60|1795402819|1795402821|1795402892|1|0:0|lemnos|NAME' >sacct
sync "a state of the future"
"$lemnos" advice sync 1234abcd
echo "exit status $?"
