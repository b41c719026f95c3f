# A smpirun of our own, so that the test needs none: it says what it was told.
export LEMNOS_KB=here.kb PATH="$PWD/bin:$PATH"
mkdir bin "a folder"
{
	echo '#!/bin/sh'
	echo 'for word; do echo "<$word>"; done | sed "s|/.*/a folder|.../a folder|"'
	echo 'echo "Simulated time: 12.5 seconds." >&2'
} >bin/smpirun
chmod +x bin/smpirun
echo >"a folder/sweep3d.mpi"
set -- --machine sp2 --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 --program "a folder/sweep3d.mpi"
"$lemnos" model run smpi "$@" --keep kept
cat kept/output kept/hosts kept/platform.xml kept/input
"$lemnos" model run smpi "$@" --args '-n {it_g} {npe_i}x{npe_j}' --cpu-scale 2.5 --format json --keep kept
grep -A 9 sweep3d.mpi kept/output
grep host-speed kept/platform.xml
"$lemnos" model run smpi "$@" --format csv --store
"$lemnos" runs --format csv | cut -d , -f 2-14,18 | sed -n 1,2p
"$lemnos" imports --format csv | cut -d , -f 1,2,3,6

ask() { "$lemnos" model run smpi "$@" 2>&1 | sed 's|/tmp/.*/||'; }
ask "$@" --wg 1us
ask "$@" --from runs.csv
ask "$@" --args '{nothing}'
ask "$@" --args '*.c'
ask "$@" --groups 2
ask "$@" --cpu-scale 0
ask "$@" --program nowhere
ask "$@" --keep /dev/null/folder
printf '#!/bin/sh\necho "[root/CRITICAL] dlopen failed: x" >&2\nexit 134\n' >bin/smpirun
ask "$@"
printf '#!/bin/sh\necho "lost\033[31m" >&2\nexit 3\n' >bin/smpirun
ask "$@"
printf '#!/bin/sh\n' >bin/smpirun
ask "$@"
rm bin/smpirun
PATH=$PWD/bin
"$lemnos" model run smpi "$@"
