echo "-- message costs"
mkdir message_costs && cd message_costs || exit
cp "$mined" a.kb
"$lemnos" model run pipeline --kb a.kb --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 --wg 0.35us --format json |
	sed -E 's/(\.[0-9]{3})[0-9]*/\1/'
"$lemnos" model project pipeline --kb a.kb --problem 50x50x50 --mk 10 --mmi 3 --wg 0.35us --format csv |
	cut -d , -f 1-3
"$lemnos" model run pipeline --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 --wg 0.35us --machine sp2like
echo "exit status $?"
cd ..

echo "-- Wg"
mkdir wg && cd wg || exit
cp "$mined" a.kb
export LEMNOS_KB=a.kb
run() { "$lemnos" model run loggp --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 "$@"; }
# What Wg is, the model is asked with, and it is the same run.
run --machine sp2like | grep -E -o '^Wg|, as mined .*'
Wg=$(run --machine sp2like --format json | sed -n 's/.*"wg_s": \(.*\),/\1/p')
mined=$(run --machine sp2like --format json | grep time_s)
typed=$(run --machine sp2like --wg "$(awk "BEGIN { printf \"%.17gns\", $Wg * 1e9 }")" --format json | grep time_s)
echo "$mined $typed" | awk '{ print ($2 / $4 - 1 < 1e-12 && $4 / $2 - 1 < 1e-12) ? "the same" : "not the same" }'
run --machine sp2like --store --quiet >log
"$lemnos" imports --format csv | tail -n 1 | cut -d , -f 2,6
run --machine sp2like --format csv | head -n 1
run --machine sp2
run --machine sp2like --wg-fixup 1us
"$lemnos" model run plug-lu --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 --machine sp2like
echo "exit status $?"
cd ..
