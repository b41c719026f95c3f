cp "$mined" a.kb
"$lemnos" model run pipeline --kb a.kb --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 --wg 0.35us --format json |
	sed -E 's/(\.[0-9]{3})[0-9]*/\1/'
"$lemnos" model project pipeline --kb a.kb --problem 50x50x50 --mk 10 --mmi 3 --wg 0.35us --format csv |
	cut -d , -f 1-3
"$lemnos" model run pipeline --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 --wg 0.35us --machine sp2like
