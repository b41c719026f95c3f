# What is printed, typed: the application is made. The header is that of runs of SNAP (arXiv:2210.10184).
cat >"runs of snap.csv" <<'END'
nx,ny,nz,nmom,nang,ng,ichunk,nodes,ppn,threads,solve_s
8,32,32,1,64,16,4,1,32,2,3.2
8,32,32,1,64,16,8,1,32,2,3.1
16,64,16,2,32,8,8,1,32,2,3.3
END
"$lemnos" init --kb a.kb --quiet >/dev/null
echo "--- taken for the only application there is"
"$lemnos" ingest --kb a.kb "runs of snap.csv" 2>&1
echo "--- an application that nobody knows"
"$lemnos" ingest --kb a.kb "runs of snap.csv" --app snap --machine m >said 2>&1 || cat said
echo "--- as it was told"
export LEMNOS_KB=a.kb
sed -n 's|^  lemnos|"$lemnos"|p' said >typed
. ./typed
echo "--- a problem of many sizes is asked for with an example"
"$lemnos" recommend --app snap --problem nang=128,ng=16 --objective time
"$lemnos" recommend --app snap --problem nx=8,ny=32,nz=32,nmom=1,nang=128 --objective time
"$lemnos" imports undo 1 >/dev/null
"$lemnos" recommend --app snap --problem ng=16 --objective time
echo "--- energy, shares and the wait in the queue come out of a run; a version and a frequency are chosen"
cat >hall.csv <<'END'
version,mesh,ghz,stripe_count,nodes,queue_wait,mpi_pct,energy_kJ,wall_s
2.1,64,2.4,4,2,733.5,12.5,40.25,120.5
END
"$lemnos" ingest hall.csv --app hall --machine m 2>&1
echo "--- with the wait in the queue, or without?"
sed '1s/wall_s/run/; 1s/energy_kJ/total/' hall.csv >wait.csv
"$lemnos" ingest wait.csv --app wait --machine m 2>&1
echo "--- energy is no time"
"$lemnos" ingest hall.csv --app hall --machine m --target energy_kJ --problem mesh 2>&1
echo "--- accounting of PBS; what a job used is no choice; counters and a row of units"
cat >pbs.csv <<'END'
Job_Id,Resource_List.nodect,Resource_List.ncpus,resources_used.walltime,resources_used.mem,Job_Name
7.pbs01,1,16,00:00:37,5000kb,lu.800
END
"$lemnos" ingest pbs.csv --app pbs --machine m 2>&1
printf 'n,tile,nodes,time,PAPI_TOT_CYC,L1_misses\n-,-,-,ms,-,-\n800,16,1,1820,1e9,1e6\n' >units.csv
"$lemnos" ingest units.csv --app units --machine m 2>&1
echo "--- a title above the header; a column for each number of nodes; names of runs; rates only"
printf 'LU results, March\ncluster helga\n\nn,nodes,time\n-,-,s\n800,1,12.5\n' >title.csv
"$lemnos" ingest title.csv --app title --machine m 2>&1
"$lemnos" ingest title.csv --app title --machine m --target time --problem n 2>&1
sed '1,3s/^/#/' title.csv | "$lemnos" ingest - --app title --machine m --target time --problem n --quiet
printf 'result:\n| n | nodes | runtime[s] |\n|---|-------|------------|\n| 8 |     1 |       12.5 |\n' >jube.txt
"$lemnos" ingest jube.txt --app jube --machine m 2>&1
printf 'n,tile,t_p16,t_p32,t_p64\n800,16,3.5,1.8,1\n' >wide.csv
"$lemnos" ingest wide.csv --app wide --machine m 2>&1
{ echo experiment,n,solver,nodes,gflops; seq -f 'lu_%.0f,800,cg,1,0.5' 1 9; } >named.csv
"$lemnos" ingest named.csv --app named --machine m 2>&1
printf 'n\344,time\n1,2\n' >latin.csv
"$lemnos" ingest latin.csv --app latin --machine m 2>&1
echo "--- no header, or one behind a #; blanks between columns"
printf '#n,time\n1,2\n' >hash.csv
"$lemnos" ingest hash.csv --app hash --machine m 2>&1
