# Run, resumed and stopped with --format: what status says of the campaign then, and nothing else.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
echo "-- run"
sed 's/repeats = 2/repeats = 1; budget = { runs = 3; }/' toy.plan >small.plan
"$lemnos" acquire run small.plan --format json >run.json
"$lemnos" acquire status toy --format json | cmp - run.json && echo "as status says it"
jq -c '[.format_version, .campaign.state, .campaign.done, .runner, (.runs | map(.wall_s))]' run.json
echo "-- as CSV"
"$lemnos" acquire run small.plan --format csv | cut -d, -f1,4,5,9
echo "-- stopped, and nobody runs it"
"$lemnos" acquire stop toy --format json | jq -c '[.campaign.state, .runner, (.runs | length)]'
echo "-- interrupted: what there is then"
sed 's/name = "hang"/name = "hangs"/; s/fixed = "1s"/fixed = "1h"/' hang.plan >hangs.plan
"$lemnos" acquire run hangs.plan --format json >interrupted.json 2>log &
runner=$!
until grep -q '^9' asked; do sleep 0.02; done
"$lemnos" acquire stop hangs --format json 2>/dev/null | jq -c "[.campaign.state, .runner == $runner]"
kill -INT $runner
wait $runner
echo "it ended with $?"
jq -c '[.campaign.state, .campaign.why, .campaign.planned]' interrupted.json
echo "-- resumed"
sed -i 's/exec sleep 600/echo "elapsed time: 1 s"; exit/' toy.sh
"$lemnos" acquire resume hangs --format json --quiet | jq -c '[.campaign.state, (.runs | map(.attempts))]'
