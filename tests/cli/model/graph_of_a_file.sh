cat >graph.txt <<'END'
# Read, two halves, join.
task-graph 1
task read   time=2ms
task left   time=10ms
task "the right \"half\"" time=9ms
task join   time=1ms
edge read  left
edge read  "the right \"half\""  time=500us bytes=64KiB
edge left  join
edge "the right \"half\"" join   time=500us bytes=64KiB
END
"$lemnos" model graph graph.txt 2>&1
echo
"$lemnos" model graph - --processors 2 --schedule longest --contention bus=64MiB --dot graph.dot <graph.txt
cat graph.dot
"$lemnos" model graph graph.txt --processors 1 --format csv
"$lemnos" model graph graph.txt --write again.txt --format csv
cat again.txt
"$lemnos" model graph again.txt --write third.txt >/dev/null 2>&1
cmp again.txt third.txt && echo the same
# some tasks on processor 1, one on any of two
sed 's/^task [a-z][a-z]*/& proc=1/' graph.txt | "$lemnos" model graph - --processors 2 --format json
