cp "$mined" a.kb
"$lemnos" recommend --kb a.kb --machine iblike --problem 280x280x255 --deadline 1ms --emit slurm 2>err
echo "exit status $?"
sed -n 's/^\(lemnos recommend: .*\)/\1/p; s/^\(No: none of\).*/\1 .../p' err
