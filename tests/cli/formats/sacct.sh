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
class='--app lu --target ElapsedRaw --problem JobName --resource NNodes=nodes,NTasks=procs'
"$lemnos" ingest raw.txt --kb a.kb --machine box $class --rejects bad.csv
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
