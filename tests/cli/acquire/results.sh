# The ways in which a time is found, and what is said where there is none.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
try() { # NAME RESULT
	sed "s/name = \"toy\"/name = \"$1\"/; s/levels = .*\]/levels = [ 1 ]/; s/to = 4/to = 2/; s/repeats = 2/repeats = 1/; s/result = .*/result = { $2 };/" toy.plan >"$1.plan"
	echo "-- $2"
	"$lemnos" acquire run "$1.plan" --quiet
}
try csv 'kind = "csv"; column = "ms"; unit = "ms";'
try line 'kind = "line"; starts = "RESULT,"; field = 3; unit = "ms";'
sqlite3 kb "SELECT n, p, wall_s, extra ->> 'told_residual' FROM stored_toy"
try regex 'kind = "regex"; pattern = "elapsed time: ([0-9.]+) s";'
try none 'kind = "regex"; pattern = "Elapsed: ([0-9.]+)";'
try word 'kind = "line"; starts = "elapsed"; field = 1;'
try short 'kind = "line"; starts = "RESULT,"; field = 9;'
try header 'kind = "csv"; column = "seconds";'
echo "-- it ran something else"
sed 's/"{n}", "{p}"/"2", "{p}"/' csv.plan | sed 's/name = "csv"/name = "other"/' >other.plan
"$lemnos" acquire run other.plan --quiet
echo "-- the time of the command itself"
sed 's/name = "csv"/name = "wall"/; s/result = .*//' csv.plan >wall.plan
"$lemnos" acquire run wall.plan --quiet | sed 's/: [0-9.]* [mu]*s$/: a time/'
echo "-- three that tell no time are enough"
sed 's/name = "none"/name = "many"/; s/levels = \[ 1 \]/levels = [ 1, 2, 5 ]/' none.plan >many.plan
"$lemnos" acquire run many.plan
"$lemnos" acquire status many --format csv | grep -c refused
