f=$tree/tests/fixtures/formats/sacct/sacct.txt
class='--machine box --app lu --target Elapsed --problem n --resource NNodes=nodes,NTasks=procs'
"$lemnos" ingest "$f" --kb a.kb $class --match 'JobName=lu_n{n}'
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
# of a class that nobody knows: the names may say what was solved, and what was said is in the command
"$lemnos" ingest "$f" --kb a.kb --machine box --app qr
"$lemnos" ingest "$f" --kb a.kb --machine box --app qr --match 'JobName=lu_n{n}' --cores-per-node 16 2>said || cat said
sed -n 's|^  lemnos|"$lemnos"|p' said >typed
export LEMNOS_KB=a.kb
. ./typed
