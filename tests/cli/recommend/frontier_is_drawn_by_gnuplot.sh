# A gnuplot of our own, so that the test needs none: it draws what it was told.
cp "$mined" a.kb
mkdir bin none
printf '#!/bin/sh\necho "<svg>"; cat; echo "</svg>"\n' >bin/gnuplot
chmod +x bin/gnuplot
ask() {
	"$lemnos" recommend --kb a.kb --problem 280x280x255 --set npe_i=4 "$@" >answer 2>err
	status=$?
	sed 's/^/  /' err
	echo "  exit $status, $(grep -c '^Submit' answer) answer"
}
echo '-- through gnuplot'
PATH=$PWD/bin:$PATH ask --deadline 1h --plot "it's a plot.svg"
sed -n '1,2p;$p' "it's a plot.svg"
grep -c '^frontier' answer
echo '-- the script'
ask --deadline 1h --plot a.gp
sed -E '/^[0-9. ]+$/d; s/range .*/range .../; s/time \[.*/time .../
	s/  [0-9.]+ with lines/  N with lines/; /logscale|tics/d' a.gp
echo '-- drawn twice, the same bytes'
ask --deadline 1h --plot b.gp
cmp a.gp b.gp
echo '-- without a deadline there is no probability to colour'
ask --plot c.gp
grep -c 'palette\|deadline' c.gp
echo '-- a name that says no format'
ask --plot frontier.jpg
echo '-- gnuplot is not installed'
PATH=$PWD/none "$lemnos" recommend --kb a.kb --problem 280x280x255 --set npe_i=4 --plot d.svg >answer
echo "  exit $?, $(grep -c '^Submit' answer) answer"
ls d.svg 2>/dev/null
echo '-- it fails'
printf '#!/bin/sh\necho half of a picture; exit 1\n' >bin/gnuplot
PATH=$PWD/bin:$PATH ask --plot d.svg
ls d.svg 2>/dev/null
echo '-- the file cannot be written'
ask --plot none/none/d.gp
