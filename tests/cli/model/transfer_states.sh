"$lemnos" model transfer "$data/runs/pingpong_sp2like.csv"
# One way 10 us + 1 ns per byte, and ten times as long from 64 KiB on.
awk 'BEGIN { print "message_bytes,roundtrip_us"
	for (b = 1024; b <= 262144; b *= 2) printf "%d,%.3f\n", b, 2 * (10 + b / 1000) * (b < 65536 ? 1 : 10) }' >falls.csv
"$lemnos" model transfer falls.csv
"$lemnos" model transfer falls.csv --ideal-share 0.8 --format csv | cut -d , -f 1-4
"$lemnos" model transfer - --format json <falls.csv | sed -n 1,7p
ask() { "$lemnos" model transfer "$@" 2>&1; echo "exit status $?"; }
printf 'message_bytes,roundtrip_us\n8,20\n16,21\n' >few.csv
printf 'message_bytes,roundtrip_us\n' >empty.csv
printf 'size,speed\n8,20\n' >"other's.csv"
ask few.csv
ask empty.csv
ask "other's.csv"
ask nowhere.csv
ask falls.csv --ideal-share 2
ask
