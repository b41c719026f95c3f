compose() {
	"$lemnos" model compose --kb a.kb --machine sp2 --wg 0.35us --problem 50x50x50 --grid 2x2 --mk 10 --iterations 1 \
		--store --format csv "$@"
}
compose --app sweep3d --network loggp,pipeline --mmi 3 | cut -d , -f 1-5
# The same again adds nothing.
compose --app sweep3d --network pipeline --mmi 3 --quiet >/dev/null
"$lemnos" imports --kb a.kb --format csv | cut -d , -f 2,3
"$lemnos" runs --kb a.kb --format csv | cut -d , -f 2,3,12-16
compose --app lu --angles 1 --mmi 1 >/dev/null
