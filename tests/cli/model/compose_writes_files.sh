# I/O as components: an application that writes after every time step, files, a disk with its cache.
# 50^3 cells of 8 bytes are 1 MB. The run without: T = 82.68 ms an iteration, a time step of one.
compose() {
	"$lemnos" model compose --machine sp2 --wg 0.35us --problem 50x50x50 --grid 8x8 --mk 10 --mmi 3 \
		--iterations 1 --timesteps 10 --network pipeline "$@"
}
disk() { # NAME CACHE_BYTES
	cat >disk.conf <<END
components = (
  { name = "$1"; domain = "hardware"; part = "storage"; paradigm = "analytic"; code = "disk";
    profile = { bytes_per_s = 1e7; request_s = 0.005; cache_bytes = $2; cache_bytes_per_s = 1e8; }; }
);
END
}
# No cache: 5 ms and 100 ms for each MB.
disk "slow disk" 0
compose --app sweep3d --format csv | cut -d , -f 1-12
compose --app sweep3d-dump --components disk.conf --format json | jq -c '.levels[0] | .time_s'
# Between two writes the disk empties 826 807 bytes: 918 674 bytes go at 100 MB/s, 81 326 at 10 MB/s.
disk "disk with cache" 1e7
compose --app sweep3d-dump --components disk.conf --format json | jq -c '.levels[0] | .time_s'
compose --app sweep3d-dump --components disk.conf
# Nothing is guessed: without a disk there is no time.
compose --app sweep3d-dump
sed 's/request_s = 0.005; //' disk.conf >no_request.conf
compose --app sweep3d-dump --components no_request.conf
sed 's/bytes_per_s = 1e7/bytes_per_s = 0/' disk.conf >no_rate.conf
compose --app sweep3d-dump --components no_rate.conf
