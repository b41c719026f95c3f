# The last table of Liu et al. 2000 at 8 nodes: 6.919 by (3) with 0.07 us/byte, 4.021 with the printed 0.57.
liu() { "$lemnos" model run liu --set "n=8,t1_s=462.0424,t0_s=62e-6,$1" --set messages=9216,bytes=24059904; }
liu s_per_byte=0.07e-6
liu s_per_byte=0.57e-6 | grep bound_speedup
"$lemnos" model run hockney --set m_bytes=1000,n=8,t0_s=46e-6,s_per_byte=0.035e-6
# Kredel et al. 2013 at n = 10000.
"$lemnos" model run kredel-linpack --set p=1300,n=10000
"$lemnos" model run kredel-scalar --set p=1,n=10 --format csv
"$lemnos" model run kredel-matrix --set p=64,n=10000 --format json | sed -E 's/(\.[0-9]{3})[0-9]*/\1/'
"$lemnos" model run kredel-mixed \
	--set p1=1,l1_flops=1e9,p2=1,l2_flops=2e9,omega1=0.5,ops=1e9,x_bytes=0,bc_bytes_per_s=1e9
"$lemnos" model run kredel-top500 --set rmax_flops=562.5e9,nmax=10000
"$lemnos" model project kredel-linpack --set n=10000 --max-procs 256 --format csv | cut -d , -f 1,2 |
	sed -E 's/(\.[0-9]{3})[0-9]*/\1/'
"$lemnos" model list --format csv | cut -d , -f 1 | tail -n 7
