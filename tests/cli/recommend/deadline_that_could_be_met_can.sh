# What the honest no names, typed back, is answered with yes.
cp "$mined" a.kb
for n in 2 3 5 20 40; do
	ask="$lemnos recommend --kb a.kb --problem 280x280x255 --max-nodes $n --quiet"
	named=$($ask --deadline 1ms | sed -n 's/^deadline that could be met: //p' | tr -d ' ')
	$ask --deadline "$named" >/dev/null && echo "$n nodes: yes"
done
