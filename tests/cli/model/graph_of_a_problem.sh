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
"$lemnos" model graph "$@" --format json --octants 1 | head -60
