compose() {
	"$lemnos" model compose --app sweep3d --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 "$@"
}
compose --machine sp2 --network loggp --wg 0.35us
# The same by `model run`: the composition adds nothing of its own.
"$lemnos" model run loggp --machine sp2 --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 --wg 0.35us | head -n 1
compose --machine sp2 --network logp --cpu given --wg 0.35us --wg-fixup 0.4us --format json |
	sed -E 's/(\.[0-9]{3})[0-9]*/\1/'
"$lemnos" model compose --app lu --machine sp2 --problem 162x162x162 --grid 8x8 --angles 1 --mk 1 --mmi 1 \
	--iterations 1 --wg 1us --wg-pre 500ns --format csv | sed -E 's/(\.[0-9]{3})[0-9]*/\1/g'
