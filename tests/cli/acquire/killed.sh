# shellcheck shell=bash
# kill -9 when a command has begun, is done, is stored: the commands go on, what ended is found, and each run is made and stored once.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
sed 's/fixed = "1m"/fixed = "1h"/; s/levels = .*\]/levels = [ 1, 2, 5 ]/; s/toy.sh/short.sh/' toy.plan >short.plan
cat >short.sh <<'END'
#!/bin/sh
echo "$*" >>"$LEMNOS_PLAN_FOLDER/begun"
while [ -e "$LEMNOS_PLAN_FOLDER/hold" ]; do sleep 0.01; done
echo "$*" >>"$LEMNOS_PLAN_FOLDER/done"
echo "elapsed time: 0.$1$2 s"
END
chmod +x short.sh
: >begun
: >"done"
count() { # WHAT: commands that began or are done, runs that are stored
	case $1 in
	stored) sqlite3 -cmd '.timeout 60000' kb "SELECT count(*) FROM campaign_run WHERE state = 'done'" ;;
	*) wc -l <"$1" ;;
	esac
}
killed=0
for what in begun "done" stored begun begun stored "done" begun "done" stored; do
	before=$(count $what)
	if [ $what = begun ]; then # it is killed before the command ends, on any machine; the one before must not be held, too
		while [ "$(count begun)" -gt "$(count "done")" ]; do sleep 0.005; done
		touch hold
	fi
	"$lemnos" acquire run short.plan >log 2>&1 &
	pid=$!
	while [ "$(count $what)" -le "$before" ] && kill -0 $pid; do sleep 0.005; done
	! kill -9 $pid || killed=$((killed + 1))
	wait $pid
	rm -f hold
done 2>/dev/null
[ $killed -gt 0 ] || echo "none was killed"
"$lemnos" acquire run short.plan >log 2>&1
tail -1 log
echo "runs stored: $(sqlite3 kb 'SELECT count(*) FROM stored_toy'), commands done: $(wc -l <"done")"
sqlite3 kb "SELECT n, p, count(*), count(DISTINCT repeat) FROM stored_toy GROUP BY n, p"
sqlite3 kb "SELECT count(DISTINCT import_id), sum(state = 'done') FROM campaign_run"
"$lemnos" status check
