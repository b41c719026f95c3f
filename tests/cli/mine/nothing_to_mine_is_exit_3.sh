"$lemnos" init --kb a.kb --quiet
"$lemnos" mine --kb a.kb
echo "exit status $?"
"$lemnos" mine --kb "$work/none.kb" 2>&1 | sed "s|$work|WORK|"
cp "$loaded" b.kb
"$lemnos" mine --kb b.kb --machine sp2
