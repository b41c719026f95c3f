# A doubt is accepted by its name, or nothing is submitted: exit status 1, the answer is printed all the same.
. "$cases/advice/fake_slurm"
try() {
	echo "--- $*"
	"$lemnos" recommend --submit "$@" >out 2>err
	echo "exit status $?, $(wc -l <out | sed 's/^0$/no/; s/^[1-9].*/some/') lines of answer"
	grep -h '^lemnos.*submitted\|^submitted' out err | hide
}
try --problem n=40 --deadline 1s
try --problem n=40 --deadline 1s --accept outside
try --problem n=40 --deadline 1s --accept infeasible
try --problem n=4000 --deadline 10d
try --problem n=4000 --deadline 1s --format json
jq -c '.job | [.submitted, .doubts, .script]' out
try --problem n=4000 --deadline 10d --accept outside,infeasible
echo "--- nothing is left to propose"
printf 'n,how,nodes,time,status\n55,1,1,,failed\n55,1,1,,failed\n' >failed.csv
cp a.kb b.kb
"$lemnos" ingest failed.csv --kb b.kb --app nap --machine here >ingest.log 2>&1
"$lemnos" mine --kb b.kb >mine.log 2>&1
sed 's/title/simulated = true; title/' here.conf >made_up.conf
try --kb b.kb --problem n=55 --how 1 --deadline 1h
echo "--- a machine that is a simulation"
cp a.kb c.kb
"$lemnos" machines add made_up.conf --kb c.kb >add.log 2>&1
"$lemnos" mine --kb c.kb >mine.log 2>&1
try --kb c.kb --problem n=50 --deadline 1h
echo "--- nobody knows how it is started"
sed '/job = /d' nap.conf >silent.conf
"$lemnos" apps add silent.conf --kb a.kb >add.log 2>&1
"$lemnos" mine --kb a.kb >mine.log 2>&1
try --problem n=50 --deadline 1h
PROGRAM=./nap
export PROGRAM
try --problem n=50 --deadline 1h
wc -l <submitted
