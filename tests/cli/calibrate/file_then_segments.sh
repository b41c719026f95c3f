cp "$loaded" a.kb
# One way: 10.33 us + 0.0137 us per byte; the file rounds to 10 ns.
awk 'BEGIN { print "message_bytes,roundtrip_us"
	for (b = 8; b <= 1024; b *= 2) printf "%d,%.2f\n", b, 2 * (10.33 + 0.0137 * b) }' >pp.csv
"$lemnos" calibrate --kb a.kb --machine sp2like --pingpong pp.csv >/dev/null
"$lemnos" calibrate --kb a.kb --machine fresh --pingpong pp.csv
"$lemnos" calibrate --kb a.kb --machine fresh --pingpong pp.csv --format csv | cut -d , -f 1-2
"$lemnos" machines --kb a.kb | grep fresh
"$lemnos" calibrate --kb a.kb --machine fresh --format json |
	sed -E 's/": [0-9]+(\.[0-9]+)?(e-[0-9]+)(,?)$/": N\3/; s/error": .*/error": N/'
