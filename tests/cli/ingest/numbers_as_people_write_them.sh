# pandas writes 64.0 for every whole number of a column that has a gap, and NaN for the gap
cat >pandas.csv <<'CSV'
it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations,runtime_s
64.0,64.0,50.0,2.0,2.0,4.0,10.0,3.0,12.0,3.25
64.0,64.0,50.0,2.0,2.0,4.0,10.0,6.0,NaN,3.5
64.5,64.0,50.0,2.0,2.0,4.0,10.0,3.0,12.0,3.25
CSV
"$lemnos" ingest pandas.csv --kb a.kb --app sweep3d --machine box
"$lemnos" runs --kb a.kb --format csv | cut -d, -f1,6-14
application='--kb a.kb --machine box --target t --problem n --tunable nb'
# semicolons between columns, commas in the numbers: recognised, and said so
printf 'n;nb;t\n1000;32;12,5\n2000;32;20,25\n1.000.000;32;1.234,5\n' >de.csv
"$lemnos" ingest de.csv --app de $application
"$lemnos" runs --kb a.kb --app de --format csv | cut -d, -f1,6-8
# commas, blanks and apostrophes between thousands
printf 'n,nb,t\n"1,000,000",32,"1,234.5"\n"2,000",32,12.5\n3 000,32,14.5\n%s,32,15.5\n' "4'000" >us.csv
"$lemnos" ingest us.csv --app us $application
"$lemnos" runs --kb a.kb --app us --format csv | cut -d, -f1,6-8
# 20 or 20000? Both readings are shown, nothing is taken; --decimal says which
printf 'n;nb;t\n1000;32;20.000\n2000;32;12,5\n' >mixed.csv
"$lemnos" ingest mixed.csv --app mixed $application
echo "exit status $?"
"$lemnos" ingest mixed.csv --app comma $application --decimal , --quiet
"$lemnos" ingest mixed.csv --app point $application --decimal .
printf 'n;nb;t\n1000;32;1,234\n' >either.csv
"$lemnos" ingest either.csv --app either $application
printf 'n;nb;t\n1000;32;20.000\n2000;32;1.234.567\n' >points.csv
"$lemnos" ingest points.csv --app points $application
"$lemnos" ingest points.csv --app points $application --decimal , --quiet
"$lemnos" runs --kb a.kb --app points --format csv | cut -d, -f1,6-8
# any character between columns
printf 'n|nb|t\n1000|32|12.5\n' >bar.csv
printf 'n:nb:t\n1000:32:13.5\n' >colon.csv
"$lemnos" ingest bar.csv --app bar $application --quiet
"$lemnos" ingest colon.csv --app bar --kb a.kb --machine box --delimiter : --quiet
"$lemnos" runs --kb a.kb --app bar --format csv | cut -d, -f1,6-8
"$lemnos" ingest colon.csv --app bar --kb a.kb --delimiter ::
# points between thousands, where the small numbers have none, or semicolons separate columns
printf 'n,nb,t\n500,32,14\n1.000,32,45\n' >mixed_points.csv
"$lemnos" ingest mixed_points.csv --app points $application
printf 'n;nb;t\n1.000;32;45\n2.000;32;160\n' >semicolons.csv
"$lemnos" ingest semicolons.csv --app points $application
printf 'n;nb;t\n1.000;32;45.5\n1.500;32;160.25\n' >decimals.csv
"$lemnos" ingest decimals.csv --app points $application --quiet
# minutes first, as squeue writes times below an hour; not beside "0:20:33"
printf 'n,nb,t\n500,32,23:33\n1000,32,1:02:03\n' >squeue.csv
"$lemnos" ingest squeue.csv --app squeue $application
"$lemnos" runs --kb a.kb --app squeue --format csv | cut -d, -f1,6-8
printf 'n,nb,t\n500,32,23:34\n700,32,0:20:33\n1000,32,1:02:04\n' >clocks.csv
"$lemnos" ingest clocks.csv --app squeue $application
