ask() { "$lemnos" model "$@" 2>&1; echo "exit status $?"; }
ask run liu
ask run liu --set n
ask run liu --set nodes=8
ask run liu --set n=eight
ask run liu --set n=8,n=9
ask run liu --set n=0
ask run liu --set n=8,t1_s=1,t0_s=nan,s_per_byte=0
ask run kredel-linpack --set n=10000,p=4 --wg 1us
ask run kredel-linpack --set n=10000,p=4 --machine sp2
ask run kredel-linpack --n 10000
ask run kredel-mixed \
	--set p1=1,l1_flops=1e9,p2=1,l2_flops=1e9,omega1=2,ops=1,x_bytes=0,bc_bytes_per_s=1
ask project kredel-top500 --set rmax_flops=1e9,nmax=100
ask project kredel-linpack --set n=10000,p=4
ask project kredel-linpack --set n=0
ask run kredel-linpack --set n=10000,p=4 --plot x.svg
ask project kredel-linpack --set n=10000 --sizes 1000
ask project kredel-linpack --sizes 1000,many
ask project liu --sizes 1000
ask project hockney --set m_bytes=8,t0_s=0,s_per_byte=1 --plot x.gp --max-procs 1
units() { ask run kredel-mixed --units "$1" --set "$2"; }
units 4 ops=1,x_bytes=0,bc_bytes_per_s=1
units 4x1e9:0.5,2x1e9 ops=1,x_bytes=0,bc_bytes_per_s=1
units 4x1e9:0.5,2x1e9:0.4 ops=1,x_bytes=0,bc_bytes_per_s=1
units 4x1e9 ops=1,x_bytes=0
units 4x1e9 ops=1,x_bytes=0,bc_bytes_per_s=1,p1=3
ask run liu --units 4x1e9
wave() { ask run "$@" --machine sp2 --problem 50x50x50 --grid 2x2 --mk 10 --wg 1us; }
wave loggp --mmi 3 --wg-pre 1us
wave plug-sweep3d --mmi 3 --wg-pre 1us
wave plug-lu --mmi 3
wave plug-lu --mmi 1 --angles 1 --nonwavefront 1
