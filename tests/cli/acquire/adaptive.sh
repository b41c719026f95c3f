# An adaptive campaign: it begins spread out, goes on in batches, and stops at its size, also when it was
# interrupted in between. What it knows of its loss is kept with each batch.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
cat >ask.plan <<'END'
campaign = {
  name = "ask"; application = "toy"; machine = "here";
  factors = ( { column = "n"; levels = [ 1, 2, 5, 6, 8, 10, 12, 16 ]; }, { column = "p"; from = 1; to = 16; factor = 2; } );
  constants = "nodes=1";
  seed = 3;
  design = { kind = "adaptive"; size = 20; initial = 9; batch = 4; };
  questions = ( { problem = "8"; }, { problem = "16"; deadline = "2s"; weight = 2; } );
  command = [ "./toy.sh", "{n}", "{p}" ];
  result = { kind = "csv"; column = "ms"; unit = "ms"; };
};
END
"$lemnos" acquire plan ask.plan | sed -n 1,4p
"$lemnos" acquire run ask.plan --quiet >said
sed -n 's/^run \([0-9]*\) of \([0-9]*\): .*/\2/p' said | uniq -c
sqlite3 kb "SELECT b.batch, count(r.position), b.expected_loss IS NOT NULL FROM campaign_batch b LEFT JOIN campaign_run r
	USING (campaign_id, batch) GROUP BY b.batch"
echo "configurations: $(sqlite3 kb 'SELECT count(DISTINCT levels) FROM campaign_run')"
"$lemnos" acquire resume ask --quiet | sed 's/, expected loss.*//'
sqlite3 kb 'SELECT count(*) FROM campaign_batch'
"$lemnos" acquire status ask --format json | sed -n 's/^    "loss_last": [0-9.e-]*/a loss is known/p'
echo "-- a base without a loss asks for no more than its budget"
sed 's/"ask"/"runs"/; s/size = 20; //; s/seed = 3;/seed = 3; budget = { runs = 11; };/' ask.plan >runs.plan
"$lemnos" acquire run runs.plan --quiet | tail -1 | sed 's/, expected loss.*//'
echo "-- everything was run"
sed 's/repeats = 2/repeats = 1/' toy.plan >full.plan
"$lemnos" acquire run full.plan --quiet | tail -1
sed 's/"toy";$/"again";/; s/application = "again"/application = "toy"/; s/repeats = 2/constraints = [ "p < 4" ]; design = { kind = "adaptive"; size = 4; }/' toy.plan >again.plan
"$lemnos" acquire plan again.plan
"$lemnos" acquire run again.plan 2>&1
