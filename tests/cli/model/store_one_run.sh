export LEMNOS_KB=here.kb
run() { "$lemnos" model run "$@" --machine sp2 --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3; }
run loggp --wg 0.35us --store
run loggp --wg 0.35us --store >again
run pipeline --wg 0.35us --store --format json | grep model
run plug-chimaera --wg 0.35us --store
"$lemnos" imports --format csv | cut -d , -f 1,2,3,4,6-
"$lemnos" runs --format csv | cut -d , -f 2-14,18,29,36- | sed -E "s|(\.[0-9]{3})[0-9]*|\1|"
"$lemnos" machines --format csv
"$lemnos" imports undo 1
"$lemnos" runs --format csv | cut -d , -f 2-4
run loggp --wg 0.35us --store --quiet | head -n 1
"$lemnos" imports --format csv | cut -d , -f 1,2,6,10
