cp "$loaded" a.kb
printf 'message_bytes,roundtrip_us\n8,20\n16,ten\n' >bad.csv
printf 'message_bytes,roundtrip_us\n8,20\n16,21\n' >few.csv
for f in bad.csv few.csv nowhere.csv; do
	"$lemnos" calibrate --kb a.kb --machine fresh --pingpong $f
	echo "exit status $?"
done
"$lemnos" machines --kb a.kb | grep -c fresh
"$lemnos" imports --kb a.kb --format csv | grep -c -e bad.csv -e few.csv
"$lemnos" calibrate --kb a.kb --machine fresh
"$lemnos" calibrate --kb a.kb --machine sp2
