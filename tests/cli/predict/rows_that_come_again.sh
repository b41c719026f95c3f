# Each row is answered as it is in a file of its own, and a bad one among them keeps its place.
cp "$mined" a.kb
header=machine,it_g,jt_g,kt,npe_i,npe_j,mk,mmi,note
row() { # PLACE: one of three configurations, two of which differ only in the machine
	case $(($1 % 3)) in
	0) echo "sp2like,100,100,100,4,4,10,3,$1" ;;
	1) echo "iblike,100,100,100,4,4,10,3,$1" ;;
	2) echo "iblike,100,100,100,4,4,5,3,$1" ;;
	esac
}
{
	echo $header
	for i in $(seq 1 300); do
		[ "$i" != 150 ] || echo "iblike,100,100,,4,4,10,3,bad"
		row "$i"
	done
} >many.csv
"$lemnos" predict --kb a.kb --from many.csv >many
echo "exit status $?"
for i in 1 2 3; do
	{ echo $header && row $i; } >one.csv
	"$lemnos" predict --kb a.kb --from one.csv | tail -1 | sed 's/.*,3,[0-9]*,//'
done >one
# the answers, by configuration, and how often each was given
sed '1d; s/.*,3,[a-z0-9]*,//' many | sort | uniq -c | sort -rn | awk '{ print $1 }'
sed '1d; s/.*,3,[a-z0-9]*,//' many | sort -u | grep -v '^,,,$' >answers
sort one | cmp - answers && echo "as in files of their own"
grep -n bad many
# in their order, their text unchanged
grep -v bad many | cut -d , -f 1-9 >back
grep -v bad many.csv | cmp - back && echo "in order"
