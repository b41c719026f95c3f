# What the honest no names, typed back, is answered with yes.
cp "$mined" a.kb
for n in 2 3 5 20 40; do
	ask="$lemnos recommend --kb a.kb --problem 280x280x255 --max-nodes $n --quiet"
	named=$($ask --deadline 1ms | sed -n 's/^deadline that could be met: //p' | tr -d ' ')
	$ask --deadline "$named" >/dev/null && echo "$n nodes: yes"
done

echo '--- deadlines that are none'
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
