# 4 processors wait for each message of 6000 bytes, 16 send short ones: latency is felt on 4.
set -- --machine sp2 --problem 50x50x50 --mk 10 --mmi 3 --wg 0.2us --model-only
"$lemnos" model latency "$@"
"$lemnos" model latency "$@" --factors 1,50 --max-procs 20 --format csv | sed -E 's/(\.[0-9]{4})[0-9]*/\1/g'
"$lemnos" model latency "$@" --factors 0.5 --max-procs 1 --format json
# beside a picture
"$lemnos" model latency "$@" --factors 1,50 --max-procs 4 --plot it.gp >/dev/null && cat it.gp
ask() { "$lemnos" model latency "$@" 2>&1; echo "exit status $?"; }
ask "$@" --factors 1,many
ask "$@" --factors -1
ask "$@" --grid 2x2
ask "$@" --max-procs 1000000
ask "$@" --plot it.txt
ask "$@" --machine iblike
ask "$@" --problem 5x5x5 --max-procs 64
