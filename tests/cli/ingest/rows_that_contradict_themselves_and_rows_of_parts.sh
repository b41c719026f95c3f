load()
{
	"$lemnos" ingest "$@" --kb a.kb --app "${1%.csv}" --machine box --problem n --target time 2>&1 |
		grep -v 'new machine\|new knowledge\|next:'
}
# 32 processes on 2 nodes are 16 a node; a last node may have fewer
cat >ppn.csv <<'CSV'
n,nodes,ntasks,ppn,time
1,2,64,32,1
1,2,48,32,1.2
1,2,48,24,1.3
1,2,32,32,1.5
1,1,16,32,1.5
1,1,64,32,1
CSV
load ppn.csv --resource ntasks=procs --rejects ppn.txt
cut -d, -f 1-2,4- ppn.txt
# a row for each rank; for each epoch; a count of iterations that a solver needed; repeats
printf 'n,procs,rank,time\n1,2,0,5\n1,2,1,4\n2,2,0,9\n2,2,1,8\n' >rank.csv
load rank.csv
load rank.csv --map rank=repeat
printf 'n,epoch,time\n1,1,5\n1,2,4\n1,3,4\n2,1,9\n2,2,8\n2,3,8\n' >epoch.csv
load epoch.csv
printf 'n,iter,time\n1,31,5\n1,32,4\n1,33,4\n2,57,9\n2,55,8\n2,56,8\n' >solver.csv
load solver.csv
printf 'n,step,time\n1,100,5\n1,100,4\n2,100,9\n2,100,8\n' >steps.csv
load steps.csv
# a row for each figure of a run, as ReFrame logs them: a rate is no time, the smaller the better
printf 'n,perf_var,time,perf_unit\n1,elapsed,5,s\n1,gflops,0.2,Gflop/s\n2,elapsed,9,s\n2,gflops,0.3,Gflop/s\n' >figures.csv
load figures.csv
load figures.csv --map perf_var=extra
grep -v gflops figures.csv >elapsed.csv
load elapsed.csv
# a row for each region, as profilers write them
printf 'n,path,time (inc),time (exc)\n1,main,5,1\n1,main/solve,4,4\n' >regions.csv
"$lemnos" ingest regions.csv --kb a.kb --app regions --machine box --problem n --target 'time (inc)' 2>&1
grep -v solve regions.csv >main.csv
"$lemnos" ingest main.csv --kb a.kb --app regions --machine box --problem n --target 'time (inc)' --quiet
# what describe() of pandas prints, by itself and below the runs; a mean beside its repeats
cat >describe.csv <<'CSV'
,n,nodes,time
count,4.0,4.0,4.0
mean,1500.0,1.5,5.5
std,577.4,0.6,2.4
min,1000.0,1.0,2.5
25%,1000.0,1.0,4.4
50%,1500.0,1.5,5.0
75%,2000.0,2.0,6.1
max,2000.0,2.0,9.5
CSV
statistics()
{
	"$lemnos" ingest "$@" --kb s.kb --app "${1%.csv}" --machine box --problem n --target time \
		--resource nodes=nodes --rejects statistics.txt 2>&1 | grep -v 'new machine\|new knowledge\|next:'
}
statistics describe.csv
(printf ',n,nodes,time\n0,1000,1,5\n1,1000,2,2.5\n2,2000,1,9.5\n3,2000,2,NA\n'; sed 1d describe.csv) >below.csv
statistics below.csv
sed 2q statistics.txt
printf 'rep,n,nodes,time\n1,1000,1,5\n2,1000,1,6\nMean:,1000,1,5.5\n' >rep.csv
statistics rep.csv
printf 'n,nodes,time\n1000,1,5\n2000,1,6\nmean,1,5.5\nten,1,5.5\n' >in_n.csv
statistics in_n.csv
# a level is none, nor how the times were made, nor what shares are
printf 'reduce,how,share,n,nodes,time\nmean,mean,25%%,1000,1,5\nmax,mean,50%%,1000,1,6\nmean,mean,75%%,2000,1,6\n' >level.csv
statistics level.csv --tunable reduce
