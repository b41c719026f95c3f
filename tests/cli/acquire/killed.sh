# shellcheck shell=bash
# kill -9 at many moments: the commands go on, what ended is found, and each run is made and stored once.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
sed 's/levels = .*\]/levels = [ 1, 2, 5 ]/; s/toy.sh/short.sh/; s/fixed = "2s"/fixed = "1m"/' toy.plan >short.plan
cat >short.sh <<'END'
#!/bin/sh
sleep 0.05
echo "$*" >>"$LEMNOS_PLAN_FOLDER/done"
echo "elapsed time: 0.$1$2 s"
END
chmod +x short.sh
killed=0
for ms in 10 20 30 40 50 60 70 80 90 15 25 35 45 55 65 75 85 95 12 24 36 48; do
	"$lemnos" acquire run short.plan >log 2>&1 &
	pid=$!
	sleep "0.0$ms"
	! kill -9 $pid 2>/dev/null || killed=$((killed + 1))
	wait $pid 2>/dev/null
done 2>/dev/null
[ $killed -gt 0 ] || echo "none was killed"
"$lemnos" acquire run short.plan >log 2>&1
tail -1 log
echo "runs stored: $(sqlite3 kb 'SELECT count(*) FROM stored_toy'), commands done: $(wc -l <"done")"
sqlite3 kb "SELECT n, p, count(*), count(DISTINCT repeat) FROM stored_toy GROUP BY n, p"
sqlite3 kb "SELECT count(DISTINCT import_id), sum(state = 'done') FROM campaign_run"
"$lemnos" status check
