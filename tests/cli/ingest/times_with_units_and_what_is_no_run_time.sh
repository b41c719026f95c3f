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
# no unit of time, or one that may be of length
printf 'n,time\n1,350 ms\n2,5m\n3,12 furlongs\n' >odd.csv
load odd.csv --target time --rejects odd.txt
cut -d, -f 1-4 odd.txt
# the header is the unit, or has it behind a blank
printf 'n,hours\n1,2\n' >hours.csv
load hours.csv --target hours
printf 'n,elapsed us\n1,2500000\n' >us.csv
load us.csv --target 'elapsed us'
"$lemnos" runs --kb a.kb --app hours --format csv | cut -d, -f 1-8
"$lemnos" runs --kb a.kb --app us --format csv | cut -d, -f 1-8
# what no deadline is for
for target in time_per_step s/iter ns/day GFLOP/s performance 'rate [it/s]' core_hours cpu_time; do
	printf 'n,%s\n1,2\n' "$target" >no.csv
	load no.csv --target "$target"
done
