. "$cases/advice/planted_base"
# Two in time and one late, for the newest; a timeout past the deadline, and one before it.
cat >new.csv <<'END'
m,nb,nodes,ppn,time,status
20,32,1,8,9.5,ok
20,32,1,8,13,ok
20,32,1,8,10.5,ok
19,32,1,8,30,timeout
18,32,1,8,5,timeout
17,32,1,8,,failed
16,64,1,8,9,ok
END
"$lemnos" ingest new.csv --app qr --machine m --quiet >/dev/null
"$lemnos" advice --limit 6
echo "--- with outcome, as CSV"
"$lemnos" advice list --with-outcome --format csv
echo "--- undone: nothing happened"
"$lemnos" imports undo 2 >/dev/null
"$lemnos" advice --with-outcome
"$lemnos" advice --limit 1 --format json
