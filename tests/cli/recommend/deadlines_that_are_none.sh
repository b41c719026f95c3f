cp "$mined" a.kb
ask() { "$lemnos" recommend --kb a.kb --problem 280x280x255 "$@" 2>&1; echo "exit status $?"; }
ask --deadline 1:30
ask --deadline 3600
ask --deadline -1h
ask --deadline 1h --confidence 90
ask --deadline 1h --objective money
ask --dedline 1h
ask
ask --objective nodes
ask --objective node-hours | grep -c "^Submit"
"$lemnos" recommend --kb a.kb --deadline 1h
"$lemnos" recommend --kb a.kb --deadline 1h --problem 280x280
"$lemnos" recommend --kb a.kb --deadline 1h --problem 280x280x0
