ask() { "$lemnos" model "$@" 2>&1; echo "exit status $?"; }
set -- --problem 50x50x50 --mk 10 --mmi 3
ask run
ask run nothing --wg 1us "$@"
ask run loggp --grid 2x2 --machine sp2 "$@"
ask run loggp --grid 2x2 --machine sp2 --wg 1 "$@"
ask run loggp --grid 2x2 --wg 1us "$@"
ask run loggp --grid 2x2 --wg 1us --machine nowhere "$@"
ask run loggp --grid 2x2 --wg 1us --machine ../machines/sp2 "$@"
ask run loggp --wg 1us --machine sp2 "$@"
ask run loggp-smp --grid 2x2 --wg 1us --machine sp2 "$@"
ask run loggp --grid 2x2 --wg 1us --machine sp2 --tile 2 "$@"
ask project loggp --grid 2x2 --wg 1us --machine sp2 "$@"
ask run loggp --app nothing --grid 2x2 --wg 1us --machine sp2 "$@"
