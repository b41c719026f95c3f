echo "-- one run"
mkdir one_run && cd one_run || exit
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
cd ..

echo "-- a formula"
mkdir a_formula && cd a_formula || exit
export LEMNOS_KB=here.kb
liu() {
	"$lemnos" model run liu --set "n=$1,t1_s=462.0424,t0_s=62e-6,s_per_byte=0.07e-6" \
		--set messages=9216,bytes=24059904 --store --quiet --app matmul "$2" "$3" | head -n 2
}
liu 8 --machine 'dawn 1000A'
liu 4 --machine 'dawn 1000A'
liu 4 --machine 'dawn 1000A' | head -n 1
"$lemnos" runs --app matmul --format csv | cut -d , -f 2-14,20-
"$lemnos" imports --format csv | cut -d , -f 2-4,6
"$lemnos" model run liu --set n=8,t1_s=1,t0_s=0,s_per_byte=0 --store --app matmul
"$lemnos" model run kredel-linpack --set n=10000,p=64 --store --app linpack --machine bwgrid
"$lemnos" model run liu --set n=8,t1_s=1,t0_s=0,s_per_byte=0 --app matmul
echo "exit status $?"
cd ..
