load()
{
	"$lemnos" ingest "$@" --kb a.kb --app "${1%.csv}" --machine box --problem n 2>&1 |
		grep -v 'new machine\|new knowledge\|next:'
}
# each cell says its unit; the decimal may be a comma
printf 'n;time\n1;350ms\n2;1.2 s\n3;3m20s\n4;2 h 5 min\n5;00:05:12\n6;1-02:03:04\n' >own.csv
load own.csv --target time
"$lemnos" runs --kb a.kb --app own --format csv | cut -d, -f 1-8
printf 'n;time\n1;1,5 s\n2;20 min\n' >comma.csv
load comma.csv --target time
"$lemnos" runs --kb a.kb --app comma --format csv | cut -d, -f 1-8
# some cells do: refused, until the others' unit is said or the header has it
printf 'n,time\n1,350 ms\n2,1200\n' >some.csv
load some.csv --target time
load some.csv --target time --unit time=ms
"$lemnos" runs --kb a.kb --app some --format csv | cut -d, -f 1-8
# a bound, a word for the end of a run or a gap in place of a time: kept as what it is, and said
for cell in '>3600' '> 1.5e3' '3600+' '≥ 3600' 'over 3600' OOM fail DNF timeout TO inf 'killed by signal 9' \
	- '*' NaN n/a '' running odd '<1' '12 (late)'; do
	rm -f b.kb
	printf 'n,time\n1,350\n2,%s\n3,%s\n4,12.5\n' "$cell" "$cell" >cell.csv
	"$lemnos" ingest cell.csv --kb b.kb --app cell --machine box --problem n --target time 2>&1 |
		grep '^  note: time\|refused [1-9]\|limit: kept'
	"$lemnos" runs --kb b.kb --app cell --where 'n = 2' --format csv 2>/dev/null |  cut -d, -f 5,7 | sed 1d
done
printf 'n,time\n1,350\n2,>1h\n' >cell.csv
load cell.csv --target time
load cell.csv --target time --unit time=min
"$lemnos" runs --kb a.kb --app cell --format csv | cut -d, -f 5,7
printf 'n,time\n1,odd\n' >odd.csv
load odd.csv --target time
# no unit of time, or one that may be of length
printf 'n,time\n1,350 ms\n2,5m\n3,12 furlongs\n' >odd.csv
load odd.csv --target time --rejects odd.txt
cut -d, -f 1-4 odd.txt
# a quantity divided by its unit is a number of these; of anything but a time it is a rate
printf 'n,Wall time / h\n1,2\n' >si.csv
load si.csv --target 'Wall time / h'
"$lemnos" runs --kb a.kb --app si --format csv | cut -d, -f 7
printf 'n,cells / s\n1,2\n' >cells.csv
load cells.csv --target 'cells / s'
# the header is the unit, or has it behind a blank
printf 'n,hours\n1,2\n' >hours.csv
load hours.csv --target hours
printf 'n,elapsed us\n1,2500000\n' >us.csv
load us.csv --target 'elapsed us'
"$lemnos" runs --kb a.kb --app hours --format csv | cut -d, -f 1-8
"$lemnos" runs --kb a.kb --app us --format csv | cut -d, -f 1-8
# what no deadline is for
for target in time_per_step s/iter ns/day GFLOP/s performance 'rate [it/s]' core_hours nodehours cost_EUR t_iter cpu_time user \
	16 log10_time min_time end timelimit; do
	printf 'n,%s\n1,2\n' "$target" >no.csv
	load no.csv --target "$target"
done
printf 'n,log2_nodes,jobid,time_min,solve,total\n1,2,77,3,4,5\n' >no.csv
load no.csv --target time_min --unit time_min=s
load no.csv --target total --tunable jobid
load no.csv --target total --resource log2_nodes=nodes
# a part beside the whole; the unit in a column of its own; cells that stand for those below
load no.csv --target solve
printf 'n,time,unit\n1,5,s\n2,6,min\n' >unit.csv
load unit.csv --target time
load unit.csv --target time --map unit=extra
printf 'n,nodes,time\n1,1,5\n,2,3\n,4,2\n2,1,9\n,2,5\n' >merged.csv
load merged.csv --target time
# one column is no table; names may be missing more than once; another table below
printf 'n nodes time\n1 2 3\n' >blanks.csv
load blanks.csv --target time
printf '| n | nodes | time |\n|---|---|---|\n| 1 | 2 | 3.5 |\n' >markdown.csv
load markdown.csv --target time
printf 'n,nodes,time\n1,2,3.5\nn,nodes,time_ms\n1,4,2500\n' >two.csv
load two.csv --target time
# a row of units below the header holds for the times, unless --unit or the header says another
printf 'n,nodes,time\n-,-,[min]\n1,2,3.5\n2,2,7\n' >row.csv
load row.csv --target time
"$lemnos" runs --kb a.kb --app row --format csv | cut -d, -f 1-8
"$lemnos" imports undo --kb a.kb 13 >undone || cat undone
load row.csv --target time --unit time=ms
# what programs draw between the lines of a table; the clocks of LSF
printf '+---+--------+\n| n | time   |\n+===+========+\n| 1 | 350 ms |\n+---+--------+\n| 2 |    1 s |\n+---+--------+\n' >drawn.txt
"$lemnos" ingest drawn.txt --kb a.kb --app drawn --machine box --problem n --target time --quiet
printf 'n,STAT,RUN_TIME,EXIT_CODE\n1,DONE,37 second(s),-\n2,EXIT,5 second(s),137\n' >bjobs.csv
"$lemnos" ingest bjobs.csv --kb a.kb --app lsf --machine box --problem n --target RUN_TIME --quiet
"$lemnos" runs --kb a.kb --app lsf --format csv | cut -d, -f 5,7
sed 's/DONE/EXIT/' bjobs.csv >ended.csv
load ended.csv --target RUN_TIME
# a time with what it varies by; the sums of the columns below the last run
printf 'n,time\n1,2.5 ± 0.1\n2,3+-0.1\n' >spread.csv
load spread.csv --target time
printf 'n,time\n1,2.5\n2,3\n3,4.5\n6,10\n' >sums.csv
load sums.csv --target time
# units as people write them, wherever they stand; what is in brackets and none is asked about
for header in 'Time [Min]' 'time (min.) (mean of 3)' 'time (ks)' 'Laufzeit [Minuten]'; do
	printf 'n,%s\n1,2\n' "$header" >named.csv
	rm -f n.kb
	"$lemnos" ingest named.csv --kb n.kb --app named --machine box --problem n --target "$header" --quiet
	[ ! -f n.kb ] || sqlite3 n.kb 'SELECT wall_s FROM run_named'
done
# how scripts say that a run died; a difference of two clocks is no time at all
printf 'n,nodes,time\n1,1,2.5\n2,1,-1\n3,1,-999\n4,1,-0.5\n5,1,-19\n' >died.csv
"$lemnos" ingest died.csv --kb died.kb --app died --machine box --problem n --target time
sqlite3 died.kb 'SELECT n, status, wall_s FROM run_died'
# rates, times in what is simulated, what precedes the work, and a time per rank are no run times
for header in Hz dt 'dt [s]' sim_time t_end 'setup time' 'Time per rank'; do
	printf 'n,nodes,%s,Total Time\n1,2,3.5,9\n' "$header" >none.csv
	"$lemnos" ingest none.csv --kb none.kb --app none --machine box --problem n --target "$header" --quiet
	cut -d , -f 1-3 none.csv >alone.csv
	"$lemnos" ingest alone.csv --kb none.kb --app none --machine box 2>&1 | grep ' --target '
done
# repeats side by side; how many nodes were used; durations of ISO 8601; what says how much is computed
printf 'n,Nodes used,run1,run2,run3\n1,2,3.5,3.6,3.4\n' >beside.csv
"$lemnos" ingest beside.csv --kb beside.kb --app beside --machine box --problem n --target run1 2>&1 |
	grep note:
printf 'n,steps,tol,time\n1,10,1e-6,PT5M\n2,10,1e-6,P1DT1H0M3.5S\n3,10,1e-6,P1M\n' >iso.csv
"$lemnos" ingest iso.csv --kb iso.kb --app iso --machine box --problem n,steps,tol --target time --quiet
"$lemnos" runs --kb iso.kb --app iso --format csv | cut -d, -f 6-9
"$lemnos" ingest iso.csv --kb iso.kb --app other --machine box --problem n --tunable steps --target time
"$lemnos" ingest iso.csv --kb iso.kb --app other --machine box --problem n --tunable tol --target time
