# A plan is shown, nothing is stored by that; it is run, in blocks of repeats; what failed and what took too
# long is there, with its last lines; the runs are like any others.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
"$lemnos" acquire plan toy.plan
"$lemnos" acquire plan toy.plan --format csv | sed -n 1,3p
"$lemnos" acquire plan toy.plan --format json | sed -n 1,23p
echo "simulated, the limits are of other seconds than the predictions"
sed 's/seed = 7/launcher = { kind = "smpi"; }; seed = 7/' toy.plan >simulated.plan
"$lemnos" acquire plan simulated.plan 2>/dev/null | sed -n '/not predicted/,/limits/p'
"$lemnos" acquire plan simulated.plan --format json | jq -c '[.cost.limit_s, .cost.limit_node_hours]'
echo "stored by that: $(sqlite3 kb 'SELECT count(*) FROM campaign') campaigns, $(find . -name asked) commands"
"$lemnos" acquire
"$lemnos" acquire run toy.plan
"$lemnos" acquire status --format csv | cut -d, -f1-11
"$lemnos" acquire status toy
"$lemnos" acquire status toy --format csv | grep -A3 failed | cut -d, -f1-8,13-
"$lemnos" acquire status TOY --format json | grep -c '"state": "done"'
"$lemnos" acquire run hang.plan
echo "the runs"
"$lemnos" runs export --format csv | cut -d, -f 3-10
sqlite3 kb "SELECT json_extract(extra, '\$.campaign_run', '\$.campaign_command') FROM stored_toy LIMIT 2"
"$lemnos" acquire run toy.plan
"$lemnos" status check
grep -vc '^9' asked # that which hangs may be stopped before it says so
