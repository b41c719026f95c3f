# Each mistake in a plan is told with file, line and what would be right.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
try() { # SED-COMMAND
	sed "$1" toy.plan >bad.plan
	"$lemnos" acquire plan bad.plan >/dev/null
}
try 's/name = "toy"/name = "..\/toy"/'
try 's/name = "toy";//'
try 's/application = "toy"/application = "nix"/'
try 's/"n"; levels/"m"; levels/'
try 's/"n"; levels/"p"; levels/'
try 's/levels = .*\]/levels = [ ]/'
try 's/levels = .*\]/levels = [ 1.5 ]/'
try 's/levels = .*\]/levels = [ "x" ]/'
try 's/levels = .*\]/levels = [ true ]/'
try 's/factor = 2;/factor = 1;/'
try 's/factor = 2;/factor = 2; step = 1;/'
try 's/factor = 2;//'
try 's/to = 4/to = 0/'
try 's/repeats = 2/repeats = 0/'
try 's/repeats = 2/repeats = 1.5/'
try 's/repeats = 2/repeat = 2/'
try 's/nodes=1/nodes=x/'
try 's/nodes=1/n=5/'
try 's/seed = 7/constraints = [ "n + " ]; seed = 7/'
try 's/seed = 7/constraints = [ "n > 9" ]; seed = 7/'
try 's/seed = 7/design = { kind = "random"; }; seed = 7/'
try 's/seed = 7/design = { kind = "full"; size = 3; }; seed = 7/'
try 's/seed = 7/design = { kind = "latin-hypercube"; }; seed = 7/'
try 's/seed = 7/design = { kind = "latin-hypercube"; size = 99; }; seed = 7/'
try 's/seed = 7/design = { kind = "fractional"; size = 2; }; seed = 7/'
try 's/seed = 7/design = { kind = "adaptive"; }; seed = 7/'
try 's/seed = 7/design = { kind = "adaptive"; size = 4; }; questions = ( { problem = "7"; } ); seed = 7/'
try 's/seed = 7/design = { kind = "adaptive"; size = 4; }; questions = ( { problem = "1"; objective = "nodes"; } ); seed = 7/'
try 's/seed = 7/design = { kind = "adaptive"; size = 4; }; questions = ( { problem = "1"; objective = "speed"; } ); seed = 7/'
try 's/seed = 7/questions = ( { problem = "7"; } ); seed = 7/'
try 's/seed = 7/budget = { runs = 0; }; seed = 7/'
try 's/seed = 7/budget = { wall = "1:30"; }; seed = 7/'
try 's/seed = 7/launcher = { kind = "rsh"; }; seed = 7/'
try 's/seed = 7/launcher = { kind = "command"; }; seed = 7/'
try 's/seed = 7/launcher = { kind = "local"; in_flight = 2; }; seed = 7/'
try 's/seed = 7/launcher = { kind = "local"; runs_per_job = 2; }; seed = 7/'
try 's/seed = 7/launcher = { kind = "local"; array = 2; }; seed = 7/'
try 's/seed = 7/launcher = { kind = "slurm"; runs_per_job = 0; }; seed = 7/'
try 's/seed = 7/launcher = { kind = "slurm"; options = [ "--qos=x\\nrm" ]; }; seed = 7/'
try 's/seed = 7/environment = [ "A-B" ]; seed = 7/'
try 's/seed = 7/set = [ "A" ]; seed = 7/'
try 's/"{n}"/"{m}"/'
try 's/"{n}"/"{n"/'
try 's/command = .*/command = [ ];/'
try 's/(\[0-9.\]+)/[0-9.]+/'
try 's/(\[0-9.\]+)/([0-9.]+/'
try 's/kind = "regex"; pattern.*"/kind = "csv"/'
try 's/kind = "regex"; pattern.*"/kind = "line"; starts = "x"/'
try 's/kind = "regex";/kind = "regex"; unit = "m";/'
try 's/fixed = "1m"/fixed = 1/'
try 's/fixed = "1m"/quantile = 1.5/'
try 's/fixed = "1m"/factor = 0.5/'
"$lemnos" acquire plan nowhere.plan
printf 'campaign = {\n  name = ;\n' >open.plan
"$lemnos" acquire plan open.plan
"$lemnos" acquire run toy
"$lemnos" acquire status toy
"$lemnos" acquire stop toy
"$lemnos" acquire resume toy --now
# more than an adaptive design, or a full one, can look at
sed 's/levels = .*\]/from = 1; to = 200; step = 1/; s/from = 1; to = 4; factor = 2/from = 1; to = 100; step = 1/' toy.plan >large.plan
"$lemnos" acquire plan large.plan
sed 's/seed = 7/design = { kind = "adaptive"; size = 9; }; seed = 7/' large.plan >large_adaptive.plan
"$lemnos" acquire plan large_adaptive.plan
