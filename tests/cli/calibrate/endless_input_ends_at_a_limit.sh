# Whoever writes into the pipe may never stop: it ends at a stated limit, and leaves no machine behind.
cp "$loaded" a.kb
calibrate() { timeout 600 "$lemnos" calibrate --kb a.kb --machine fresh --pingpong "$@"; }
yes 2>/dev/null | calibrate -
{ echo message_bytes,roundtrip_us; yes 8,20 2>/dev/null; } | calibrate -
calibrate /dev/zero
awk 'BEGIN { print "message_bytes,roundtrip_us"
	for (i = 0; i <= 1000000; i++) printf "%d,%d\n", i, 20 + i }' | calibrate -
{ echo rank,rmax_gflops,nmax,cores,nhalf; yes 1,2,3,4,5 2>/dev/null; } | timeout 600 "$lemnos" model ranking -
yes 2>/dev/null | timeout 600 "$lemnos" model graph -
"$lemnos" machines --kb a.kb | grep -c fresh
