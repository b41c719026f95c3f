# What is not there or may not be written ends a campaign with its reason, and nothing is lost.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
sed 's/toy.sh/nowhere.sh/; s/name = "toy"/name = "nowhere"/' toy.plan >nowhere.plan
"$lemnos" acquire run nowhere.plan
"$lemnos" acquire status --format csv | cut -d, -f1,4-11,15-
cp toy.sh nowhere.sh
"$lemnos" acquire resume nowhere --quiet | tail -1
echo "-- a file in the way"
mkdir other && cp kb other/kb && : >other/kb.campaigns
"$lemnos" acquire run toy.plan --kb other/kb
"$lemnos" acquire status --kb other/kb --format csv | tail -1 | cut -d, -f1,4-7
echo "-- the disk is full: no file may have more than 100 KiB"
(ulimit -f 200 && "$lemnos" acquire run toy.plan) >log 2>&1
echo "exit status $?"
sed -n 's/^lemnos acquire: .*\(cannot\|write\|full\).*/it says that it cannot write/p' log | head -1
"$lemnos" acquire run toy.plan --quiet | tail -1
echo "commands: $(grep -c . asked) of both; runs stored: $(sqlite3 kb 'SELECT count(*) FROM stored_toy')"
"$lemnos" status check
