# times, grids and blocks of the sample outputs that come with Sweep3D 2.2b: 12 iterations each
f=$tree/tests/fixtures/formats/sweep3d/sweep3d.out
"$lemnos" ingest "$f" --kb a.kb --machine box --cores-per-node 4 --rejects bad.csv
"$lemnos" runs --kb a.kb --app sweep3d --format csv | cut -d, -f5-10,13-17,29
cat bad.csv
# 200 iterations of 2.73 s, of which three digits of a grind time tell; 1000, of which they do not; and
# a run whose output ends at the elapsed time
{
	for s in 546 2730; do
		sed -n 1,6p "$f"
		echo " Elapsed time was: $s"
		echo ' Wall grind time: 0.455'
	done
	sed -n 1,6p "$f"
	echo ' Elapsed time was: 546'
} >long.txt
"$lemnos" ingest long.txt --kb a.kb --machine box --rejects bad.csv
"$lemnos" runs --kb a.kb --where 'import_id = 2' --format csv | cut -d, -f5-10,29
cat bad.csv
