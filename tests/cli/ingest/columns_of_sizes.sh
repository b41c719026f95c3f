# Cells such as 256x256x128 are numbers: other sizes can be asked about than were run.
awk 'BEGIN {
	print "grid,decomp,nodes,block,time_s"
	split("64 128 256 512", n); split("32 64 128 64", z)
	for (i = 1; i <= 4; i++)
		for (nodes = 1; nodes <= 8; nodes *= 2)
			for (block = 16; block <= 64; block *= 2) {
				time = n[i] * n[i] * z[i] / 1e6 * 9 / nodes * (1 + (block - 32) * (block - 32) / 5000)
				printf "%dx%dx%d,%d x %d,%d,%d,%.4g\n", n[i], n[i], z[i], 4 * nodes, 4, nodes, block, time
			}
}' >runs.csv
echo "--- what to type"
"$lemnos" ingest runs.csv --kb a.kb --app flow
echo "--- the application"
"$lemnos" ingest runs.csv --kb a.kb --app flow --machine here --target time_s --problem grid \
	--tunable block,decomp --resource nodes
"$lemnos" apps show flow --kb a.kb
"$lemnos" mine --kb a.kb --quiet >mine.out
echo "--- sizes that were not run, in each of three ways"
for problem in grid=300x300x100 300x300x100 grid_x=300,grid_y=300,grid_z=100; do
	"$lemnos" recommend --kb a.kb --problem "$problem" --set decomp=8x4 --deadline 10m --quiet | head -2
done
"$lemnos" recommend --kb a.kb --problem grid=300x300 --deadline 10m
"$lemnos" recommend --kb a.kb --problem girth=300x300x100 --deadline 10m
echo "--- another file, into the application that is there"
printf 'Grid,decomp,nodes,block,time_s\n96^3,8x4,2,32,4.1\n96x96,8x4,2,32,4.1\n,8x4,2,32,4.1\n' >more.csv
"$lemnos" ingest more.csv --kb a.kb --app flow --machine here
"$lemnos" runs list --kb a.kb --app flow --format csv | grep ",96,"
echo "--- questions from a file"
printf 'grid,decomp,nodes,block\n128x128x64,4x4,1,32\n128x128,4x4,1,32\n' >ask.csv
"$lemnos" predict --from ask.csv --kb a.kb | cut -d, -f1-4,8
echo "--- a definition: a group of its columns, the problem, and --map for any other name"
cat >s.csv <<'CSV'
problem,grid,mk,mmi,nodes,time_s
50x50x50,2x4,10,3,1,1.5
100*100*100,4X4,10,3,2,6.0
CSV
"$lemnos" ingest s.csv --kb b.kb --app sweep3d --machine toy --quiet
sed 's/problem/size/' s.csv >m.csv
"$lemnos" ingest m.csv --kb b.kb --app sweep3d --machine toy
"$lemnos" ingest m.csv --kb b.kb --app sweep3d --machine toy --map size=it_g:jt_g:depth
"$lemnos" ingest m.csv --kb b.kb --app sweep3d --machine toy --map size=it_g:jt_g:kt
"$lemnos" runs list --kb b.kb --app sweep3d --format csv | cut -d, -f1-9
echo "--- words stay words: by name, and where few cells are sizes"
"$lemnos" ingest runs.csv --kb c.kb --app flow --machine here --target time_s --problem grid \
	--tunable block,decomp --categorical decomp --resource nodes=nodes | grep note
printf 'case,nodes,t\n2x4,1,3\n2x4,2,2\nsmall,1,3\nsmall,2,2\n4x4,1,7\n' >words.csv
"$lemnos" ingest words.csv --kb d.kb --app w --machine here --target t --problem case --resource nodes=nodes | grep note
echo "--- one side is no grid"
"$lemnos" ingest words.csv --kb e.kb --app w --machine here --target t --grid case
echo "--- 64KB: a problem in bytes, of which others may be asked; what is chosen is passed on as it is written"
awk 'BEGIN {
	print "file,xfer,procs,t"
	split("256MB 1GB 4GB", f); split("1 4 16", n); split("64K 1M 4M", x)
	for (i = 1; i <= 3; i++)
		for (k = 1; k <= 3; k++)
			for (procs = 1; procs <= 4; procs *= 2)
				printf "%s,%s,%d,%.4g\n", f[i], x[k], procs, n[i] / procs * (2 - k / 4)
}' >io.csv
"$lemnos" ingest io.csv --kb f.kb --app io --machine here --target t --problem file --tunable xfer \
	--resource procs=procs | grep note
"$lemnos" mine --kb f.kb --quiet >mine.out
"$lemnos" recommend --kb f.kb --problem 2GB --set procs=4 --objective time --quiet | head -3
"$lemnos" recommend --kb f.kb --problem file=2XB --objective time
