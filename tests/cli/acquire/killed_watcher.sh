# shellcheck shell=bash
# The process that watches a command is killed, too: the run never ended, and is made again.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
sed 's/fixed = "1m"/fixed = "1h"/; s/levels = .*\]/levels = [ 1 ]/; s/to = 4/to = 2/; s/repeats = 2/repeats = 1/; s/toy.sh/wait.sh/' toy.plan >wait.plan
cat >wait.sh <<'END'
#!/bin/sh
echo "$*" >>"$LEMNOS_PLAN_FOLDER/begun"
until [ -e "$LEMNOS_PLAN_FOLDER/go" ]; do sleep 0.02; done
echo "elapsed time: 0.$1$2 s"
END
chmod +x wait.sh
"$lemnos" acquire run wait.plan >log 2>&1 &
pid=$!
while [ ! -s begun ]; do sleep 0.02; done
kill -9 $pid
wait $pid 2>/dev/null
"$lemnos" acquire status --format csv | cut -d, -f1,4-7
kill -9 "$(cat kb.campaigns/toy/0001.1/lock)"
touch go
"$lemnos" acquire resume toy 2>&1
"$lemnos" acquire status toy --format csv | cut -d, -f1,4-6

echo "==== a command that kills it is not started for ever"
echo 'kill -9 $PPID; sleep 600' >wait.sh
sed -i '1i #!/bin/sh' wait.sh
sed 's/name = "toy"/name = "kills"/' wait.plan >kills.plan
"$lemnos" acquire run kills.plan 2>&1
"$lemnos" acquire status kills --format csv | cut -d, -f1,4-6

echo "==== a command that removes what it finds, and its folder, removes nothing of ours"
cat >wait.sh <<'END'
#!/bin/sh
rm -rf ./* .[a-z]*
echo "$*" >end
echo "$*" >>"$LEMNOS_PLAN_FOLDER/swept"
rm -rf "$PWD"
echo "elapsed time: 1.$1$2 s"
END
sed 's/name = "toy"/name = "sweeps"/' wait.plan >sweeps.plan
"$lemnos" acquire run sweeps.plan 2>&1
sort swept
ls kb.campaigns/sweeps/0001.1
