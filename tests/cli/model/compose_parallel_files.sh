# A parallel file system as a component: 16 targets of 100 MB/s, 1 ms a request, no cache; stripes of 1 MB
# on 8 of them; 1 ms to open, links of 1 GB/s. 100^3 cells of 8 bytes are 8 MB, 64 processors have 125 kB each.
compose() {
	"$lemnos" model compose --machine sp2 --wg 0.35us --problem 100x100x100 --grid 8x8 --mk 10 --mmi 3 \
		--iterations 1 --timesteps 1 --network pipeline "$@"
}
storage() { # NAME LAYOUT [MORE]
	cat <<END
  { name = "$1"; domain = "hardware"; part = "storage"; paradigm = "analytic"; code = "parallel-file-system";
    profile = { targets = 16; stripe_count = 8; stripe_bytes = 1e6; open_s = 0.001; link_bytes_per_s = 1e9;
      bytes_per_s = 1e8; request_s = 0.001; cache_bytes = 0; cache_bytes_per_s = 1e9; layout = "$2"; $3 }; }
END
}
{
	echo 'components = ('
	storage shared shared
	echo ,
	storage collective collective 'aggregators = 8;'
	echo ,
	storage own per-process
	echo ');'
} >storage.conf
compose --app sweep3d --format json | jq -c '.levels[0].time_s' >without
# Shared: 13 * 100 lines of cells for each of 64, 83 200 requests, 10 400 on each of 8 targets, 10.4 s; 1 MB 10 ms;
# 64 ms to open: 10.474 s. Collective: 8 aggregators open, 8 ms; get 1 MB - 125 kB, 0.875 ms; 1 request and 1 MB,
# 11 ms: 19.875 ms. Own files of 125 kB on their first targets: 64 * 8 / 16 = 32 parts, 4 MB, 32 requests: 64 + 72 ms.
for layout in shared collective own; do
	compose --app sweep3d-dump --components storage.conf --choose disk=$layout --format json |
		jq -c --slurpfile without without '.levels[0].time_s - $without[0] | . * 1e6 | round / 1e6'
done
compose --app sweep3d-dump --components storage.conf --choose disk=collective | sed -n '/files:/,/matches: shared/p'
# Which of the three is not guessed.
compose --app sweep3d-dump --components storage.conf
sed 's/layout = "shared"/layout = "mine"/' storage.conf >layout.conf
compose --app sweep3d-dump --components layout.conf --choose disk=shared
sed 's/stripe_count = 8/stripe_count = 17/' storage.conf >stripes.conf
compose --app sweep3d-dump --components stripes.conf --choose disk=shared
sed 's/aggregators = 8;//' storage.conf >aggregators.conf
compose --app sweep3d-dump --components aggregators.conf --choose disk=collective
