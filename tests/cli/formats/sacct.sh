echo "-- steps are folded, timeouts are limits"
mkdir steps_are_folded_timeouts_are_limits && cd steps_are_folded_timeouts_are_limits || exit
f=$tree/tests/fixtures/formats/sacct/sacct.txt
"$lemnos" ingest "$f" --kb a.kb --machine box --app lu --target Elapsed --problem JobName \
	--resource NNodes=nodes,NTasks=procs
"$lemnos" runs --kb a.kb --app lu --format csv
# known again whether the format is named or not; as a plain table it is another import, and steps are rows
"$lemnos" ingest "$f" --kb a.kb --machine box --app lu --format sacct
"$lemnos" ingest "$f" --kb a.kb --machine box --app lu --input-format csv --dry-run | sed -n 1,4p
cd ..

echo "-- fields in any order"
mkdir fields_in_any_order && cd fields_in_any_order || exit
# a trailing bar (--parsable), raw times, no ids, CR LF; the order of the fields is the user's
printf 'ElapsedRaw|State|JobName|NTasks|TimelimitRaw|NNodes|\r
100|COMPLETED|n1|4|2|1|\r
90|COMPLETED|batch|1|||\r
70|TIMEOUT|n1|8|1|2|\r
4000|TIMEOUT|n2|8|UNLIMITED|2|\r
|NODE_FAIL|n2|8|1|2|\r
30|CANCELLED+|n2|8|1|2|\r
30|COMPLETED|n2|8|1|\r
50|COMPL' >raw.txt
application='--app lu --target ElapsedRaw --problem JobName --resource NNodes=nodes,NTasks=procs'
"$lemnos" ingest raw.txt --kb a.kb --machine box $application --rejects bad.csv
"$lemnos" runs --kb a.kb --app lu --format csv | cut -d, -f5-9,15
cat bad.csv
# what is asked for too little, twice, or not at all
printf 'JobID|State\n1|COMPLETED\n' >few.txt
printf 'JobID|State|State|Elapsed\n1|COMPLETED|COMPLETED|00:00:01\n' >twice.txt
printf 'JobID|State|Elapsed\n1|RUNNING|00:00:01\n2|PENDING|00:00:00\n' >none.txt
printf 'JobID|JobName|Elapsed\n1|a|00:00:01\n' >stateless.txt
: >empty.txt
printf 'JobName|State|Elapsed|NTasks\na|COMPLETED|00:00:01|4\n' >idless.txt
for f in few twice none stateless idless empty; do
	"$lemnos" ingest $f.txt --kb a.kb --machine box --app lu --format sacct
	echo "exit status $?"
done
cd ..

echo "--- a script that ends well after its step met a limit, or was cancelled; and a step that watched another"
mkdir -p steps && cd steps || exit
cat >steps.txt <<'X'
JobID|JobName|State|ExitCode|Elapsed|NNodes|NTasks
1|lu_n100|COMPLETED|0:0|00:10:05|1|
1.batch|batch|COMPLETED|0:0|00:10:05|1|1
1.0|lu|TIMEOUT|0:15|00:10:00|1|4
2|lu_n200|COMPLETED|0:0|00:05:05|1|
2.batch|batch|COMPLETED|0:0|00:05:05|1|1
2.0|lu|CANCELLED by 1234|0:15|00:05:00|1|4
3|lu_n300|COMPLETED|0:0|00:20:05|1|
3.0|lu|COMPLETED|0:0|00:20:00|1|4
3.1|watch|CANCELLED by 1234|0:15|00:20:00|1|1
X
"$lemnos" ingest steps.txt --kb a.kb --app lu --machine box --target Elapsed --problem n --resource NNodes=nodes,NTasks=procs \
	--match 'JobName=lu_n{n}' --quiet
sqlite3 a.kb 'SELECT n, status, wall_s FROM runs_lu ORDER BY n'
cd ..

echo "--- what others ended, tries, outputs one behind another, exit codes of steps, steps of several sizes"
mkdir -p ends && cd ends || exit
cat >ends.txt <<'X'
JobID;JobName;State;DerivedExitCode;Elapsed;Timelimit;Start;NNodes;NTasks
1;lu_n100;COMPLETED;0:0;00:10:00;02:00:00;2026-03-01T08:00:00;1;
1.0;lu;COMPLETED;;00:10:00;;2026-03-01T08:00:00;1;4
2;lu_n200;CANCELLED by 1234;0:0;01:20:00;02:00:00;2026-03-01T09:00:00;1;
2.0;lu;CANCELLED;;01:20:00;;2026-03-01T09:00:00;1;4
3;lu_n200;CANCELLED by 1234;0:0;00:00:40;02:00:00;2026-03-01T11:00:00;1;
4;lu_n300;PREEMPTED;0:0;00:30:00;02:00:00;2026-03-01T12:00:00;1;
4.0;lu;CANCELLED;;00:30:00;;2026-03-01T12:00:00;1;4
4;lu_n300;NODE_FAIL;0:0;00:50:00;02:00:00;2026-03-01T13:00:00;1;
4.0;lu;CANCELLED;;00:50:00;;2026-03-01T13:00:00;1;4
4;lu_n300;COMPLETED;0:0;00:20:00;02:00:00;2026-03-01T14:00:00;1;
4.0;lu;COMPLETED;;00:20:00;;2026-03-01T14:00:00;1;4
JobName;JobID;State;DerivedExitCode;Elapsed;Timelimit;Start;NNodes;NTasks
lu_n100;1;COMPLETED;0:0;00:10:00;02:00:00;2026-03-01T08:00:00;1;
lu;1.0;COMPLETED;;00:10:00;;2026-03-01T08:00:00;1;4
lu_n400;5;COMPLETED;1:0;00:05:00;02:00:00;2026-03-02T08:00:00;1;4
lu_n500;6;COMPLETED;0:0;01:00:00;02:00:00;2026-03-02T09:00:00;4;
lu;6.0;COMPLETED;;00:30:00;;2026-03-02T09:00:00;2;8
lu;6.1;COMPLETED;;00:30:00;;2026-03-02T09:30:00;4;16
lu_n600;7;COMPLETED;0:0;00:10:00;02:00:00;2026-03-02T11:00:00;4;
prep;7.0;COMPLETED;;00:02:00;;2026-03-02T11:00:00;1;1
lu;7.1;COMPLETED;;00:08:00;;2026-03-02T11:02:00;4;16
X
"$lemnos" ingest ends.txt --kb a.kb --app lu --machine box --target Elapsed --problem n --resource NNodes=nodes,NTasks=procs \
	--match 'JobName=lu_n{n}' --rejects bad.csv
sqlite3 a.kb 'SELECT n, status, wall_s FROM runs_lu ORDER BY n, wall_s'
cut -d, -f1-4 bad.csv
printf 'JobID|JobName|State|Elapsed\n1|a|COMPLETED|00:10:00\nJobID|State|Elapsed\n' >narrow.txt
"$lemnos" ingest narrow.txt --kb a.kb --app lu --machine box
echo "exit status $?"
cd ..

echo "--- names of jobs choose and say parameters"
mkdir names && cd names || exit
f=$tree/tests/fixtures/formats/sacct/sacct.txt
application='--machine box --app lu --target Elapsed --problem n --resource NNodes=nodes,NTasks=procs'
"$lemnos" ingest "$f" --kb a.kb $application --match 'JobName=lu_n{n}'
"$lemnos" runs --kb a.kb --app lu --format csv | cut -d, -f5-9,15
# another choice is another import
"$lemnos" ingest "$f" --kb a.kb --machine box --app lu --match 'JobName=lu_n{n},JobID=471*' --dry-run | sed -n 1p
"$lemnos" ingest "$f" --kb a.kb --machine box --app lu --match 'JobName=*_n{n},State=COMP*' --dry-run | sed -n 1,4p
for m in 'JobName=qr_n{n}' 'Name=lu_n{n}' 'JobName=lu_{State}' 'JobName=lu_n{n' 'JobName=lu_n}' 'JobName={a}{b}' \
	'JobName=lu_{}' 'JobName={a}_{a}' JobName; do
	"$lemnos" ingest "$f" --kb a.kb --machine box --app lu --match "$m"
	echo "exit status $?"
done
"$lemnos" ingest "$data/runs/measured_local.csv" --kb a.kb --machine box --app lu --match 'app=sweep*'
echo "exit status $?"
# of an application that nobody knows: the names may say what was solved, and what was said is in the command
"$lemnos" ingest "$f" --kb a.kb --machine box --app qr
"$lemnos" ingest "$f" --kb a.kb --machine box --app qr --match 'JobName=lu_n{n}' --cores-per-node 16 2>said || cat said
sed -n 's|^  lemnos|"$lemnos"|p' said >typed
export LEMNOS_KB=a.kb
. ./typed
