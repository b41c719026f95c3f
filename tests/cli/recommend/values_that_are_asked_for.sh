cp "$mined" a.kb
ask() { "$lemnos" recommend --kb a.kb --problem 280x280x255 --format csv "$@" | sed -n 2p | cut -d , -f 4-9; }
echo nodes,procs,npe_i,npe_j,mk,mmi
ask --deadline 1h --grid 4x8 --mk 17 --mmi 2
ask --deadline 1h --set grid=4x8,mk=17 --mmi 2
ask --deadline 1h --set npe_i=4,npe_j=8 --set k_block=17 --mmi=2
ask --objective time --nodes 1
"$lemnos" recommend --kb a.kb --problem 280x280x255 --objective time --nodes 1 --iterations 3 --format json |
	tr -d '\n ' | grep -o '"workload":{[^}]*},"assumed":\[[^]]*\],"fixed":{[^}]*}'

echo '--- more nodes than there are is said'
cp "$mined" a.kb
"$lemnos" recommend --verbose --kb a.kb --machine local-2core --problem 280x280x255 --grid 4x4 --mk 5 --mmi 3 \
	--deadline 1h --max-nodes 1000000 | grep -E '^(Submit|No |note|chosen from)'
"$lemnos" recommend --verbose --kb a.kb --machine local-2core --problem 280x280x255 --deadline 1s | grep -E '^(No|chosen from)' | sed 's| meets.*||'

echo '--- illegal values say why'
cp "$mined" a.kb
ask() { "$lemnos" recommend --kb a.kb --problem 280x280x255 "$@"; echo "exit status $?"; }
ask --deadline 1h --mmi 4 2>&1
ask --deadline 1h --mk 256 2>&1
ask --deadline 1h --mk 0 2>&1
ask --deadline 1h --mk 10 --set mk=12 2>&1
ask --deadline 1h --mk 2>&1
ask --deadline 1h --mkk 10 2>&1
ask --deadline 1h --grid 8 2>&1
ask --deadline 1h --nodes 1000 2>&1
ask --deadline 1h --max-nodes 0 2>&1
ask --deadline 1h --grid 8x16 --nodes 3 2>&1
ask --deadline 1h --grid 8x16 --max-nodes 16 2>&1
