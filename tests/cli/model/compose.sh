echo "-- it chooses and says why"
mkdir it_chooses_and_says_why && cd it_chooses_and_says_why || exit
compose() {
	"$lemnos" model compose --app sweep3d --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 "$@"
}
compose --machine sp2 --network loggp --wg 0.35us
# The same by `model run`: the composition adds nothing of its own.
"$lemnos" model run loggp --machine sp2 --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 --wg 0.35us | sed -n 1p
compose --machine sp2 --network logp --cpu given --wg 0.35us --wg-fixup 0.4us --format json |
	sed -E 's/(\.[0-9]{3})[0-9]*/\1/'
"$lemnos" model compose --app lu --machine sp2 --problem 162x162x162 --grid 8x8 --angles 1 --mk 1 --mmi 1 \
	--iterations 1 --wg 1us --wg-pre 500ns --format csv | sed -E 's/(\.[0-9]{3})[0-9]*/\1/g'
cd ..

echo "-- what it tells is stored"
mkdir what_it_tells_is_stored && cd what_it_tells_is_stored || exit
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
echo "exit status $?"
cd ..
echo "-- components, for people"
"$lemnos" model components >all
grep -c '^[a-z]' all
sed -n 1,3p all
