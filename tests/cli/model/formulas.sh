# The last table of Liu et al. 2000 at 8 nodes: 6.910847 by (3) with 72 us and 0.067 us/byte, 4.021 with what is printed.
liu() { "$lemnos" model run liu --set "n=8,t1_s=462.0424,$1" --set messages=9216,bytes=24059904; }
liu t0_s=72e-6,s_per_byte=0.067e-6
liu t0_s=62e-6,s_per_byte=0.57e-6 | grep bound_speedup
# its equation 2, and what packing saves
"$lemnos" model run liu-pair --set t0_s=46e-6,s_per_byte=0.035e-6,messages=1000,bytes=8000
"$lemnos" model run liu-pair --set t0_s=46e-6,s_per_byte=0.035e-6,messages=1,bytes=8000 | grep pair_s
"$lemnos" model run liu-collective --set m_bytes=1000,n=8,t0_stage_s=52e-6,stage_s_per_byte=0.029e-6
"$lemnos" model run hockney --set m_bytes=1000,n=8,t0_s=46e-6,s_per_byte=0.035e-6
# Kredel et al. 2013 at n = 10000.
"$lemnos" model run kredel-linpack --set p=1300,n=10000
"$lemnos" model run kredel-scalar --set p=1,n=10 --format csv
"$lemnos" model run kredel-matrix --set p=64,n=10000 --format json | sed -E 's/(\.[0-9]{3})[0-9]*/\1/'
"$lemnos" model run kredel-mixed \
	--set p1=1,l1_flops=1e9,p2=1,l2_flops=2e9,omega1=0.5,ops=1e9,x_bytes=0,bc_bytes_per_s=1e9
# three kinds of units; without shares all end together
"$lemnos" model run kredel-mixed --units 2x1e9,1x2e9,4x3e9 --set ops=16e9,x_bytes=1e6,bc_bytes_per_s=1e9
"$lemnos" model run kredel-mixed --units 2x1e9:0.5,1x2e9:0.1,4x3e9:0.4 --set ops=16e9,x_bytes=0,bc_bytes_per_s=1e9 \
	--format json | grep -A 5 results
# the slides' figure of the speed-up: S over p for several n; 40.03 and 74.64 by their shortcut
"$lemnos" model project kredel-linpack --sizes 1000,10000 --procs 80,1300 --plot figure.gp --format csv |
	cut -d , -f 1-3,13 | sed -E 's/(\.[0-9]{3})[0-9]*/\1/g'
grep -c EOD figure.gp
"$lemnos" model run kredel-top500 --set rmax_flops=562.5e9,nmax=10000
"$lemnos" model project kredel-linpack --set n=10000 --max-procs 256 --format csv | cut -d , -f 1,2 |
	sed -E 's/(\.[0-9]{3})[0-9]*/\1/'
"$lemnos" model list --format csv | cut -d , -f 1 | tail -n 9
