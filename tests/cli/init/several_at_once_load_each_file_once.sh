# A writer keeps its lock until all four wait for it: each has seen by then that files are missing, and one loads them.
cp "$loaded" a.kb
sqlite3 a.kb "SELECT import_id FROM import WHERE file_name LIKE 'pingpong%'" |
	while read -r id; do "$lemnos" imports undo "$id" --kb a.kb; done >log
"$lemnos" machines remove sp2-smp --kb a.kb
"$lemnos" machines default - --kb a.kb
mkfifo go
sqlite3 a.kb 'BEGIN IMMEDIATE;' '.shell echo locked >go' '.shell read -r _ <go' &
read -r _ <go
for i in 1 2 3 4; do
	"$lemnos" init --with-data --kb a.kb >out.$i 2>err.$i &
done
for i in 1 2 3 4; do
	until [ -s err.$i ]; do sleep 0.05; done # it waits, or says why not
done
echo answered >go
wait
cat out.? | awk -F '[ ,]+' '/^added/ { machines += $5; rows += $NF } END { print "added by all:", machines, "machine,", rows, "rows" }'
cat err.? | grep -v 'waiting for it'
sqlite3 a.kb "SELECT file_name, count(*) FROM import WHERE undone_at IS NULL GROUP BY 1 HAVING count(*) > 1"
sqlite3 a.kb "SELECT name, value FROM setting WHERE name = 'machine'"
"$lemnos" status check --kb a.kb
