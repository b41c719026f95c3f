echo "-- of a program alone"
mkdir of_a_program_alone && cd of_a_program_alone || exit
set -- --machine sp2 --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 --wg 0.35us --static
"$lemnos" model graph "$@" --dot static.dot
cat static.dot
"$lemnos" model graph "$@" --format json | sed -n 1,30p
"$lemnos" model graph "$@" --format csv
cd ..

echo "-- of a problem"
mkdir of_a_problem && cd of_a_problem || exit
set -- --machine sp2 --problem 50x50x50 --grid 4x4 --mk 10 --mmi 3 --wg 0.35us
"$lemnos" model graph "$@" --quiet
echo
"$lemnos" model graph "$@" --octants 1 --contention bus=35MB/s --dot octant.dot --quiet
grep -c 'color=red' octant.dot
head -5 octant.dot
# the recurrence says the same
"$lemnos" model run pipeline "$@" --iterations 1 --format csv | cut -d, -f3
"$lemnos" model graph "$@" --format csv | cut -d, -f10
"$lemnos" model graph "$@" --write graph.txt --quiet >/dev/null
head -3 graph.txt
"$lemnos" model graph graph.txt --format csv | cut -d, -f10
"$lemnos" model graph "$@" --contention ports --format csv | cut -d, -f5,6
"$lemnos" model graph "$@" --processors 1 --format csv | cut -d, -f3,10-12
"$lemnos" model graph "$@" --format json --octants 1 | sed -n 1,60p
cd ..

echo "-- of a file"
mkdir of_a_file && cd of_a_file || exit
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
cd ..
