cp "$mined" a.kb
ask() { "$lemnos" recommend --kb a.kb --problem 280x280x255 "$@"; echo "exit status $?"; }
ask --deadline 1h --mmi 4 2>&1
ask --deadline 1h --mk 256 2>&1
ask --deadline 1h --mk 0 2>&1
ask --deadline 1h --mk 10 --set mk=12 2>&1
ask --deadline 1h --mk 2>&1
ask --deadline 1h --mkk 10 2>&1
ask --deadline 1h --grid 8 2>&1
ask --deadline 1h --nodes 1000 2>&1
ask --deadline 1h --max-nodes 0 2>&1
ask --deadline 1h --grid 8x16 --nodes 3 2>&1
ask --deadline 1h --grid 8x16 --max-nodes 16 2>&1
