. "$cases/advice/planted_base"
"$lemnos" advice calibration
echo "--- three runs"
printf '%s\n' m,nb,nodes,ppn,time 1,32,1,8,9 2,32,1,8,10 3,32,1,8,11.5 >three.csv
"$lemnos" ingest three.csv --app qr --machine m --quiet >/dev/null
"$lemnos" advice calibration
"$lemnos" advice --limit 1 | tail -1
echo "--- twenty runs: 8 of 15 in time that promised 90 %, 2 of 5 that promised 25 %"
awk 'BEGIN { print "m,nb,nodes,ppn,time"
	for (m = 4; m <= 20; m++) print m ",32,1,8," (m <= 9 || m >= 19 ? 9.25 : 12.5) }' >more.csv
"$lemnos" ingest more.csv --app qr --machine m --quiet >/dev/null
"$lemnos" advice calibration
"$lemnos" advice calibration --format csv
"$lemnos" advice calibration --format json | tail -4
