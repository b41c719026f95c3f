# A writer keeps its lock until all four have begun and wait for it: each says so.
cp "$mined" a.kb
sqlite3 a.kb <"$cases/rules/planted.sql"
mkfifo go
sqlite3 a.kb 'BEGIN IMMEDIATE;' '.shell echo locked >go' '.shell read -r _ <go' &
read -r _ <go
for i in 1 2 3 4; do
	"$lemnos" rules accept 1 --kb a.kb >out.$i 2>err.$i &
done
for i in 1 2 3 4; do
	until [ -s err.$i ]; do sleep 0.05; done # it waits, or says why not
done
echo answered >go
wait
sqlite3 a.kb 'SELECT count(*) FROM rule_decision'
cat out.? | grep -c 'was accepted already'
