ask() { "$lemnos" model graph "$@" 2>&1; echo "exit status $?"; }
text() { printf '%b' "$1" >graph.txt; ask graph.txt; }
head='task-graph 1\n'
ask
ask nothing.txt
ask .
text ''
text 'task a\n'
text 'task-graph 9\n'
text "$head"
text "${head}task a\ntask a\n"
text "${head}task a time=-1\n"
text "${head}task a time=nan\n"
text "${head}task a time=1e999\n"
text "${head}task a proc=1000000000\n"
text "${head}task a colour=red\n"
text "${head}task a\nedge a b\n"
text "${head}task a\ntask b\ntask c\nedge a b\nedge b c\nedge c a\nedge a c\n"
text "${head}task a time=1e308\ntask b time=1e308\nedge a b\n"
text "${head}task \033[31mred\n"
text "${head}task \"no end\n"
text "${head}task \\0377\n"
printf 'task-graph 1\ntask a proc=0\ntask b\nedge a b bytes=8 time=1\n' >graph.txt
ask graph.txt --contention links=1MB
ask graph.txt --contention links=1MB --processors 4
ask graph.txt --contention bus
ask graph.txt --contention bus=0
ask graph.txt --contention road=1MB
ask graph.txt --contention "bus=$(printf '\033')[31m"
ask graph.txt --processors 0
ask graph.txt --processors 1000000000
ask graph.txt --schedule lifo
ask graph.txt --wg 1us
ask graph.txt --static
ask graph.txt --grid 2x2
ask graph.txt --write nowhere/graph.txt
ask graph.txt --dot nowhere/graph.dot
ask graph.txt another.txt
set -- --machine sp2 --mk 1 --mmi 1 --wg 1us
ask "$@" --problem 1000x1000x1000 --grid 1000x1000
ask "$@" --problem 1000x1000x1000 --grid 100x100
ask "$@" --problem 50x50x50 --grid 2x2 --octants 9
ask "$@" --problem 50x50x50 --grid 2x2 --static --write static.txt
ask "$@" --problem 50x50x50 --grid 2x2 --static --processors 2
ask "$@" --problem 50x50x50
