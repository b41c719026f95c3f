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

# With few runs held out no time is so long that none of a thousand runs takes longer.
echo '--- emit slurm says which risk runs can tell'
cat >a.csv <<'CSV'
m,tile,nodes,ppn,time
100,8,1,1,10
100,16,1,1,12
100,8,1,2,5.2
100,16,1,2,6.1
200,8,1,1,40
200,16,1,1,47
200,8,1,2,21
200,16,1,2,25
300,8,1,1,90
300,16,1,1,107
300,8,1,2,47
300,16,1,2,55
CSV
"$lemnos" ingest a.csv --kb toy.kb --app toy --machine there --target time --problem m \
	--tunable tile --resource nodes=nodes,ppn=ppn --quiet >ingest.out
"$lemnos" mine --kb toy.kb --quiet >mine.out
for risk in 0.5 0.001; do
	"$lemnos" recommend --kb toy.kb --problem m=200 --deadline 1m --emit slurm --risk $risk --quiet |
		sed -n 's/than .* with probability 0\.0[0-9]*/than TIME with probability P/
			s/than .* with/than TIME with/
			/^# limit/,/^# and/p'
done
