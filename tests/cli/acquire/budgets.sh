# The ends of a campaign: runs, node-hours, wall time.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
sed 's/levels = .*\]/levels = [ 1 ]/; s/name = "toy"/name = "runs"/; s/repeats = 2;/repeats = 2; budget = { runs = 4; };/' toy.plan >runs.plan
"$lemnos" acquire run runs.plan
"$lemnos" acquire run runs.plan
# commands that take 20 ms each, more than these budgets
printf '#!/bin/sh\nsleep 0.02\necho "elapsed time: 0.02 s"\n' >toy.sh
sed 's/runs = 4/wall = "1ms"/; s/"runs"/"wall"/' runs.plan >wall.plan
"$lemnos" acquire run wall.plan 2>&1
sed 's/runs = 4/wall = "1h"/; s/"runs"/"second"/' runs.plan >second.plan
"$lemnos" acquire run second.plan | tail -2
sed 's/runs = 4/node_hours = 1e-7/; s/"runs"/"hours"/' runs.plan >hours.plan
"$lemnos" acquire run hours.plan | tail -2
