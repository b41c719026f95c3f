"$lemnos" model
"$lemnos" model run loggp --machine sp2 --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 --wg 0.35us
"$lemnos" model run loggp --machine sp2 --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 --wg 350ns \
	--wg-fixup 0.4us --format csv | sed -E 's/(\.[0-9]{3})[0-9]*/\1/g'
"$lemnos" model project loggp --machine sp2 --problem 1000x1000x1000 --mk 10 --mmi 3 --wg 0.35us
