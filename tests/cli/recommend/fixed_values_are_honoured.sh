cp "$mined" a.kb
ask() { "$lemnos" recommend --kb a.kb --problem 280x280x255 --format csv "$@" | sed -n 2p | cut -d , -f 4-9; }
echo nodes,procs,npe_i,npe_j,mk,mmi
ask --deadline 1h --grid 4x8 --mk 17 --mmi 2
ask --deadline 1h --set grid=4x8,mk=17 --mmi 2
ask --deadline 1h --set npe_i=4,npe_j=8 --set k_block=17 --mmi=2
ask --objective time --nodes 1
"$lemnos" recommend --kb a.kb --problem 280x280x255 --objective time --nodes 1 --iterations 3 --format json |
	tr -d '\n ' | grep -o '"workload":{[^}]*},"assumed":\[[^]]*\],"fixed":{[^}]*}'
