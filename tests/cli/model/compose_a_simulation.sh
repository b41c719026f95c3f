# The example of docs/models.md: simulated, within some percent of the exact recurrence.
if ! command -v smpirun >/dev/null || [ ! -x "${lemnos%/*}/kernels/wavefront_smpi" ]; then
	echo "no SimGrid (Debian: libsimgrid-dev)" >&2
	exit 77
fi
case ${TMPDIR-} in *[[:blank:]]*) unset TMPDIR ;; esac # smpirun takes a blank for the end of a name
"$lemnos" model compose --app sweep3d --machine sp2 --wg 0.35us --problem 50x50x50 --grid 8x8 --mk 10 --mmi 3 \
	--iterations 1 --network pipeline,smpi --format csv --quiet >levels.csv
cut -d , -f 1-6 levels.csv
awk -F , 'NR == 3 { print ($14 > 0 && $14 < 0.15) ? "a little more than the recurrence" : "off by " $14 }' levels.csv
"$lemnos" model compose --app sweep3d --machine sp2 --wg 0.35us --problem 20x20x20 --grid 2x2 --mk 10 --mmi 3 \
	--iterations 1 --paradigm network=simulated --quiet | sed -E 's/^[0-9.]+ ms;/TIME;/'
