# niter, walltime and ntasks can mean one thing; compiler means nothing to the application
cat >kin.csv <<'CSV'
it_g,jt_g,kt,npe_i,npe_j,NNODES,ntasks,mk,mmi,niter,walltime,compiler
64,64,50,2,2,4,4,10,3,12,3.25,gcc
64,64,50,2,2,4,4,10,6,24,6.5,gcc
CSV
"$lemnos" ingest kin.csv --kb a.kb --app sweep3d --machine box
"$lemnos" runs --kb a.kb --format csv | cut -d, -f1,10,15,18
# not taken, but close: named, with what was assumed instead
cat >close.csv <<'CSV'
it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iteratons,iter,runtime,stauts
64,64,50,2,2,4,10,3,12,1,3.5,ok
CSV
"$lemnos" ingest close.csv --kb a.kb --app sweep3d --machine box
"$lemnos" ingest close.csv --kb a.kb --app sweep3d --machine box --map iteratons=iterations,iter=extra,stauts=status
# two words for one field: neither is taken
cat >two.csv <<'CSV'
it_g,jt_g,kt,npe_i,npe_j,nodes,k_blck,mmi,niter,n_iterations,walltime,duration
64,64,50,2,2,4,10,3,12,12,3.5,3.6
CSV
"$lemnos" ingest two.csv --kb a.kb --app sweep3d --machine box
"$lemnos" ingest two.csv --kb a.kb --app sweep3d --machine box --map k_blck=mk
"$lemnos" ingest two.csv --kb a.kb --app sweep3d --machine box --map k_blck=mk,walltime=wall_s
# the words of one file need not be those of the next
printf 'n,nb,nodes,time\n1000,32,2,12.5\n' >first.csv
printf 'n,nb,num_nodes,elapsed_ms\n1000,64,4,7500\n' >second.csv
"$lemnos" ingest first.csv --kb a.kb --app qr --machine box --target time --problem n --tunable nb \
	--resource nodes=nodes --quiet
"$lemnos" ingest second.csv --kb a.kb --app qr --machine box
"$lemnos" runs --kb a.kb --app qr --format csv | cut -d, -f1,7-9
