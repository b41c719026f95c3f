fixtures=$tree/tests/fixtures/formats
cp "$loaded" a.kb
"$lemnos" calibrate --kb a.kb --machine fresh --pingpong "$fixtures/osu/osu_latency.txt"
# the same by hand: twice each one-way time
{
	echo message_bytes,roundtrip_us
	awk '/^[0-9]/ { printf "%d,%.2f\n", $1, 2 * $2 }' "$fixtures/osu/osu_latency.txt"
} >pp.csv
"$lemnos" calibrate --kb a.kb --machine other --pingpong pp.csv >/dev/null
for m in fresh other; do
	"$lemnos" calibrate --kb a.kb --machine $m --format csv >$m.csv
done
cmp fresh.csv other.csv
# other tests, other files, and each at the wrong door
"$lemnos" calibrate --kb a.kb --machine fresh --pingpong "$fixtures/osu/osu_bw.txt"
"$lemnos" calibrate --kb a.kb --machine fresh --pingpong "$fixtures/hpl/HPL.out"
"$lemnos" ingest "$fixtures/osu/osu_latency.txt" --kb a.kb --machine fresh
printf '# OSU MPI Latency Test v7.5\n# Size Latency (us)\n1 1.50\n2\n' >cut.txt
"$lemnos" calibrate --kb a.kb --machine fresh --pingpong cut.txt
# a CSV table that kept the title as a comment is one
printf '# OSU MPI Latency Test v7.5\nmessage_bytes,roundtrip_us\n8,20\n16,ten\n' >kept.csv
"$lemnos" calibrate --kb a.kb --machine fresh --pingpong kept.csv
echo "exit status $?"
