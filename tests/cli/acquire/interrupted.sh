# shellcheck shell=bash
# Two at once; stopped after the present run, and at once; interrupted from the terminal. Nothing is lost.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
sed 's/levels = .*\]/levels = [ 1 ]/; s/repeats = 2/repeats = 3/; s/toy.sh/wait.sh/' toy.plan >wait.plan
# goes on when it is let
cat >wait.sh <<'END'
#!/bin/sh
trap 'echo "$*" >>"$LEMNOS_PLAN_FOLDER/ended"; exit 1' TERM
echo "$*" >>"$LEMNOS_PLAN_FOLDER/begun"
until [ -e "$LEMNOS_PLAN_FOLDER/go" ]; do sleep 0.02; done
echo "elapsed time: 0.$1$2 s"
END
chmod +x wait.sh
begun() { # N: so many commands have begun
	while [ "$(cat begun 2>/dev/null | wc -l)" -lt "$1" ]; do sleep 0.02; done
}
"$lemnos" acquire run wait.plan >first 2>&1 &
first=$!
begun 1
"$lemnos" acquire resume toy 2>&1 | sed "s/process $first/process N/"
"$lemnos" acquire status toy 2>&1 | sed -n 1,2p | sed "s/process $first/process N/"
"$lemnos" acquire stop toy 2>&1 | sed "s/process $first/process N/"
touch go
wait $first
echo "it ended with $?"
cat first
rm go
"$lemnos" acquire resume toy >second 2>&1 &
second=$!
begun 2
"$lemnos" acquire stop toy --now 2>&1 | sed "s/process $second/process N/"
wait $second
echo "it ended with $?"
cat second
echo "commands told to end: $(wc -l <ended)"
"$lemnos" acquire run toy >third 2>&1 &
third=$!
begun 3
kill -INT $third
wait $third
echo "it ended with $?"
cat third
"$lemnos" acquire stop toy
"$lemnos" acquire status toy --format csv | cut -d, -f1,3-6
touch go
"$lemnos" acquire resume toy
sqlite3 kb 'SELECT p, count(*) FROM stored_toy GROUP BY p'
"$lemnos" status check
