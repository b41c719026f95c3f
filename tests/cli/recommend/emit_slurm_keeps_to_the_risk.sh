# The limit grows as the risk shrinks; the rest stays as it is.
cp "$mined" a.kb
for risk in 0.5 0.05 0.001; do
	"$lemnos" recommend --kb a.kb --machine sp2like --problem 280x280x255 --objective time \
		--nodes 4 --emit slurm --risk $risk 2>/dev/null >$risk.sh
	sed -n 's/^#SBATCH --time=\(.*\):\(.*\):.*/\1 \2/p' $risk.sh | {
		read -r h m
		echo $((${h#0} * 60 + ${m#0}))
	}
done >limits
sort -n limits | cmp - limits && [ "$(sort -u limits | wc -l)" -gt 1 ] && echo "limits grow"
sed '/--time/d; /^# limit/d; /^# (too few/d; /^# and the sum/d' 0.5.sh >a
sed '/--time/d; /^# limit/d; /^# (too few/d; /^# and the sum/d' 0.001.sh | cmp - a
