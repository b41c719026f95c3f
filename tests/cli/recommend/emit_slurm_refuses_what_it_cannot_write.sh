cp "$mined" a.kb
ask() {
	"$lemnos" recommend --kb a.kb --machine iblike --problem 50x50x50 "$@"
	echo "exit status $?"
}
ask --deadline 1h --emit pbs
ask --deadline 1h --emit slurm --format json
ask --deadline 1h --emit slurm --frontier
ask --deadline 1h --emit slurm --next 3
ask --deadline 1h --risk 0.01
ask --deadline 1h --emit slurm --risk 0
ask --deadline 1h --emit slurm --groups 30
ask --objective time --emit slurm --angles 4

echo '--- emit slurm of an honest no is no script'
cp "$mined" a.kb
"$lemnos" recommend --kb a.kb --machine iblike --problem 280x280x255 --deadline 1ms --emit slurm 2>err
echo "exit status $?"
sed -n 's/^\(lemnos recommend: .*\)/\1/p; s/^\(No: none of\).*/\1 .../p' err
