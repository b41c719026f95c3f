run() {
	"$lemnos" model run "$@" --machine sp2 --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 --wg 0.35us
}
for model in logp lopc lopc-coprocessor plug-sweep3d plug-chimaera; do run $model; done
lu() {
	"$lemnos" model run plug-lu --machine sp2 --problem 162x162x162 --grid 8x8 --angles 1 --mk 1 --mmi 1 \
		--iterations 1 --wg 1us "$@"
}
lu --wg-pre 500ns --nonwavefront 10ms
lu --format csv | sed -E 's/(\.[0-9]{3})[0-9]*/\1/g'
lu --format json | grep caveat
"$lemnos" model project plug-sweep3d --machine sp2 --problem 150x150x150 --mk 10 --mmi 3 --wg 0.35us \
	--max-procs 4
