# An mpirun of our own, so that the test needs none: inside a node o is 1 and 2 us at the two ends, L
# 3 us, G 1 ns a byte; between nodes, where it is asked for, 10 us more. Sends of 4 KiB and more wait. A
# block takes 4 ns a cell and 8 ns a line. All of it is off by some tenths of a per cent, so that no
# figure is made of rounding.
[ -x "$(dirname "$lemnos")/kernels/pingpong" ] || {
	echo "no kernels/pingpong (Debian: libopenmpi-dev)" >&2
	exit 77
}
export LEMNOS_KB=here.kb PATH="$PWD/bin:$PATH"
mkdir bin
echo '#!/bin/sh' >bin/mpirun
cat >>bin/mpirun <<'END'
echo "$@" >>started
shift $(($2 > 2 ? 3 : 2)) # --map-by node, too
case $1 in
*/pingpong) awk -v nodes="${NODES:-1}" 'BEGIN {
	print "message_bytes,roundtrip_us,send_us,receive_us,blocks,repeat,pair_nodes,cores,memory_bytes,simulated"
	for (n = 1; n <= nodes; n++) for (b = 1; b <= 65536; b *= 2)
		printf "%d,%.9g,%.9g,%.9g,%d,1,%d,4,68719476736,0\n", b,
			(off = i++ % 3 ? 1.002 : 0.996) * 2 * (6 + (n == 2) * 10 + 0.001 * b),
			off, b < 4096 ? 2 * off : 0.001 * b, b >= 4096, n }' ;;
*/sweep_task) shift
	for rank in 0 1; do echo "$@" | awk '{
	print "it,jt,kt,mk,mmi,mm,iterations,runtime_s,wg_s,checksum"
	for (i = 1; i < NF; i += 7) printf "%d,%d,1,%d,%d,6,7,1,%.9ge-9,x\n", $i, $(i + 1), $(i + 3), $(i + 4),
		(4 + 8 / $i) * (1 + 0.01 * (($i + $(i + 1) + $(i + 3)) % 3 - 1)) }'; done ;;
esac
END
chmod +x bin/mpirun
"$lemnos" init --quiet >made 2>&1
"$lemnos" calibrate --machine mine --run --out mine.conf --keep kept
cat mine.conf
ls kept
sed 's|/.*/|.../|; s/\( [0-9]*\)\{616\}$/ .../' started
"$lemnos" machines show mine
"$lemnos" imports --format csv | cut -d , -f 1-4,6

echo "==== between nodes, too"
NODES=2 "$lemnos" calibrate --machine mine --run --launch 'mpirun -n 4 "--map-by node"' --out mine.conf --plot mine.gp
head -n 1 mine.gp
grep -c -e '^[$]inside' -e '^[$]between' -e '^[$]wg' mine.gp
"$lemnos" machines check mine.conf
"$lemnos" machines add mine.conf
"$lemnos" calibrate --machine mine --pingpong kept/pingpong.csv --format csv | cut -d , -f 1-2
NODES=2 "$lemnos" calibrate --machine mine --run --format csv --quiet | cut -d , -f 1-3
NODES=2 "$lemnos" calibrate --machine mine --run --format json --quiet |
	jq 'del(.segments) | .wg.measured |= .[:1]' | sed -E 's/([0-9]\.[0-9]{4})[0-9]*/\1/g'
