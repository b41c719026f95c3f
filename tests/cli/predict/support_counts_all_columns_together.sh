# Sweep3D: of what was seen only column by column, or only of fewer iterations, nothing is inside.
cp "$mined" a.kb
predict() {
	echo "--- $*"
	"$lemnos" predict --kb a.kb --machine sp2like --grid 4x4 --mk 10 --mmi 3 "$@" | grep '^support:'
}
predict --problem 150x150x150
predict --problem 160x140x150
# 1 to 12 iterations were run
predict --problem 150x150x150 --iterations 3
predict --problem 150x150x150 --iterations 100
predict --problem 150x150x150 --iterations 1000000
predict --problem 150x150x150 --timesteps 2
predict --problem 150x150x150 --angles 60
# each side of a sub-grid was seen, these shapes were not
predict --problem 400x12x400
predict --problem 600x50x40

# an application without a formula: the largest problem ran on 8 nodes only, the smallest with small tiles only
awk 'BEGIN { print "z,tile,nodes,time_s"
	for (z = 16; z <= 256; z *= 2) for (t = 2; t <= 32; t *= 2) for (n = 1; n <= 8; n *= 2)
		if (t * 8 <= z * 4 && n * 32 >= z) printf "%d,%d,%d,%.4f\n", z, t, n,
			1e-5 * z ^ 3 * n ^ -.9 * (1 + .1 / t) * (1 + .01 * ((z * 3 + n * 5 + t) % 5 - 2)) }' >a.csv
"$lemnos" ingest a.csv --kb a.kb --app a --machine m --target time_s --problem z --tunable tile \
	--resource nodes=nodes --quiet >/dev/null
"$lemnos" mine --kb a.kb --app a --quiet >/dev/null
for set in z=64,tile=8,nodes=4 z=64,tile=8,nodes=3 z=16,tile=32,nodes=1 z=256,tile=2,nodes=1; do
	echo "--- $set"
	"$lemnos" predict --kb a.kb --app a --machine m --set $set | grep '^support:'
done

# a solver that was run on the other machine only
awk 'BEGIN { print "machine,z,solver,nodes,time_s"
	for (z = 16; z <= 256; z *= 2) for (n = 1; n <= 8; n *= 2) for (s = 0; s < 3; s++) for (m = 0; m < 2; m++)
		if (m == 0 || s < 2) printf "%s,%d,%s,%d,%.4f\n", m ? "there" : "here", z, s == 0 ? "cg" : s == 1 ? "mg" : "amg", n,
			1e-4 * z ^ 2 * n ^ -.9 * (1 + .3 * s + .2 * m) * (1 + .01 * ((z * 3 + n * 5 + s) % 5 - 2)) }' >b.csv
"$lemnos" ingest b.csv --kb a.kb --app b --target time_s --problem z --tunable solver --resource nodes=nodes \
	--quiet >/dev/null
"$lemnos" mine --kb a.kb --app b --quiet >/dev/null
for set in z=64,solver=mg,nodes=4 z=64,solver=amg,nodes=4 z=6400,solver=amg,nodes=4; do
	echo "--- $set"
	"$lemnos" predict --kb a.kb --app b --machine there --set $set | grep '^support:'
done
