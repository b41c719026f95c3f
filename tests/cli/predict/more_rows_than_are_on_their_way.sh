# More rows than are on their way at once, rows that come again, rows that cannot be predicted: what is
# said of each is what is said of it in a small file, in the order of the rows.
cp "$mined" kb
{
	echo it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi
	awk 'BEGIN {
		for (i = 1; i <= 6000; i++) {
			n = 100 + i * 7919 % 300
			p = 1 + i * 31 % 8
			print n "," n ",100," p ",4," 4 * p "," (i % 1000 ? 10 : i % 2000 ? 0 : "ten") "," (i % 2000 == 500 ? 4 : 3)
		}
	}'
} >all.csv
"$lemnos" predict --from all.csv --machine sp2like --kb kb >all.out 2>all.err
echo "exit $?, $(wc -l <all.out) lines, $(sed 1d all.out | sort -u | wc -l) of them different"
cat all.err

sed 1d all.csv | split -l 200 - part.
for part in part.*; do
	{ head -n 1 all.csv; cat "$part"; } >"$part.csv"
	"$lemnos" predict --from "$part.csv" --machine sp2like --kb kb 2>/dev/null | sed 1d
done >parts.out
sed 1d all.out | cmp - parts.out && echo "as in small files"

"$lemnos" predict --from all.csv --machine sp2like --kb kb --format json 2>json.err | grep -c predicted_s
