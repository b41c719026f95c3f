# A base that was made before definitions told how an application is run opens and works as before.
sed '/^  job = {/,/^  };/d' "$data/applications/sweep3d.conf" >older.conf
grep -c 'job = {' older.conf
cp "$loaded" a.kb
"$lemnos" apps add older.conf --kb a.kb
"$lemnos" mine --machine iblike --kb a.kb --quiet >mine.out
"$lemnos" recommend --kb a.kb --machine iblike --problem 50x50x50 --objective time --grid 2x3 \
	--mk 10 --emit slurm | sed -n '/^:/p; /^srun/p; /LEMNOS_mk/p'
"$lemnos" apps add "$data/applications/sweep3d.conf" --kb a.kb
"$lemnos" mine --machine iblike --kb a.kb --quiet >mine.out
"$lemnos" recommend --kb a.kb --machine iblike --problem 50x50x50 --objective time --grid 2x3 \
	--mk 10 --emit slurm | sed -n '/^:/p; /^srun/p'
