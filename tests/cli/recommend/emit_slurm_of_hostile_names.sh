# Neither the name of a machine nor a text in the data becomes code.
cat >a.csv <<'CSV'
m,layout,nodes,ppn,time
100,it's $(touch pwned),1,1,10
100,`touch pwned`,1,1,12
100,it's $(touch pwned),1,2,5.2
100,`touch pwned`,1,2,6.1
200,it's $(touch pwned),1,1,40
200,`touch pwned`,1,1,47
200,it's $(touch pwned),1,2,21
200,`touch pwned`,1,2,25
300,it's $(touch pwned),1,1,90
300,`touch pwned`,1,1,107
300,it's $(touch pwned),1,2,47
300,`touch pwned`,1,2,55
CSV
machine="\`touch pwned\` 'x' \"\$(touch pwned)\" #"
"$lemnos" ingest a.csv --kb a.kb --app toy --machine "$machine" --target time --problem m \
	--tunable layout --categorical layout --resource nodes=nodes,ppn=ppn --quiet >ingest.out
"$lemnos" mine --kb a.kb --quiet >mine.out
"$lemnos" recommend --kb a.kb --problem m=200 --deadline 1m --emit slurm >job.sh
sed -n '/touch/p; /^:/p; /^srun/p' job.sh
bash -n job.sh
bash job.sh 2>bash.err
echo "exit status $?: $(sed "s/.*PROGRAM: //" bash.err)"
mkdir bin
printf '#!/bin/sh\necho "srun [$1] [$2] $LEMNOS_m $LEMNOS_layout"\n' >bin/srun
chmod +x bin/srun
PATH="$PWD/bin:$PATH" PROGRAM='./my program' bash job.sh '$(touch pwned)'
ls
