cp "$mined" a.kb
ask() { "$lemnos" predict --kb a.kb "$@" 2>&1; echo "exit status $?"; }
ask --problem 150x150x150 --grid 4x4 --mk 10
ask --problem 150x150x150 --mk 10 --mmi 3
ask --problem 150x150x150 --grid 4x4 --mk 10 --mmi 4
ask --problem 150x150x150 --grid 1x1 --mk 10 --mmi 3
ask --problem 150x150x150 --grid 4x400 --mk 10 --mmi 3
ask --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 --confidence 1
ask --grid 4x4 --mk 10 --mmi 3
