# An import that is undone takes the run, not the campaign's record; bases with campaigns are merged and copied.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
sed 's/levels = .*\]/levels = [ 1 ]/; s/repeats = 2/repeats = 1/' toy.plan >small.plan
"$lemnos" acquire run small.plan --quiet
cp kb before
"$lemnos" imports undo 2
"$lemnos" acquire status toy
"$lemnos" status check
"$lemnos" acquire run small.plan --quiet
"$lemnos" init --kb fresh --quiet >/dev/null
"$lemnos" status merge before --kb fresh
"$lemnos" status merge before --kb fresh
"$lemnos" acquire status toy --kb fresh
"$lemnos" status check --kb fresh
"$lemnos" status backup copy --kb fresh
"$lemnos" acquire status --kb copy --format csv | cut -d, -f1-8
echo "-- another campaign of that name"
"$lemnos" init --kb second --quiet >/dev/null
"$lemnos" apps add toy.conf --kb second --quiet
"$lemnos" acquire run small.plan --kb second --quiet | tail -1
"$lemnos" status merge second --kb fresh
"$lemnos" acquire status --kb fresh --format csv | cut -d, -f1,4-8
"$lemnos" status check --kb fresh
echo "-- what one base ran is not run by the other"
sed 's/name = "toy"/name = "shared"/; s/toy.sh/later.sh/' small.plan >shared.plan
"$lemnos" acquire run shared.plan --quiet 2>&1
cp kb theirs
printf '#!/bin/sh\necho "elapsed time: 1.$1$2 s"\n' >later.sh
chmod +x later.sh
"$lemnos" acquire resume shared --kb theirs --quiet | tail -1
"$lemnos" status merge theirs | sed -n 1,2p
"$lemnos" acquire status shared
"$lemnos" acquire resume shared --quiet
"$lemnos" status check
