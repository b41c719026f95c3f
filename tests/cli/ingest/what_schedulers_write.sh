# sacct --parsable2: times as clocks show them, states of runs that did not end by themselves
cat >sacct.txt <<'TXT'
JobID|JobName|State|ExitCode|Elapsed|Timelimit|NNodes|NTasks|nb|User
1|qr|COMPLETED|0:0|00:01:40|01:00:00|2|64|32|ann
2|qr|COMPLETED|0:0|1-02:03:04|3-00:00:00|4|64|32|ann
3|qr|FAILED|1:0|00:00:00|01:00:00|2|64|32|ann
4|qr|TIMEOUT|0:0|01:00:10|01:00:00|2|64|64|ann
5|qr|TIMEOUT|0:0||01:00:00|2|64|64|ann
6|qr|CANCELLED by 1000|0:0|00:00:30|01:00:00|2|64|64|ann
7|qr|OUT_OF_ME+|0:125|NA|01:00:00|2|64|64|ann
8|qr|NODE_FAIL|1:0|NaN|01:00:00|2|64|64|ann
9|qr|RUNNING|0:0|00:10:00|01:00:00|2|64|64|ann
10|qr|TIMEOUT|0:0|NaN|UNLIMITED|2|64|64|ann
11|qr|COMPLETED|0:0|02:03.456|01:00:00|2|64|32|ann
12|qr|COMPLETED|0:0|02:03|01:00:00|2|64|32|ann
13|qr|COMPLETED|0:0|NaN|01:00:00|2|64|32|ann
14|qr|F|0:0|00:01:40|01:00:00|2|64|32|ann
TXT
"$lemnos" ingest sacct.txt --kb a.kb --machine box || echo "exit status $?"
application='--kb a.kb --machine box --problem n --tunable nb'
"$lemnos" ingest sacct.txt --kb a.kb --machine box --app qr --target Elapsed --problem JobName \
	--categorical JobName --tunable nb --resource NNodes=nodes,NTasks=procs --rejects bad.csv
cut -d, -f1-4 bad.csv
"$lemnos" runs --kb a.kb --app qr --format csv | cut -d, -f1,5,10,16
# two parts: the header or --unit says which
printf 'n,nb,t [mm:ss]\n1,1,02:03\n' >ms.csv
printf 'n,nb,t\n1,1,02:03\n' >two.csv
"$lemnos" ingest ms.csv --app ms $application --target 't [mm:ss]' --quiet
"$lemnos" ingest two.csv --app hms $application --target t --unit t=hms --quiet
"$lemnos" ingest two.csv --app hm $application --target t --unit t=hm --quiet
for app in ms hms hm; do "$lemnos" runs --kb a.kb --app $app --format csv | cut -d, -f8; done
# only an exit code, of PBS: -29 is the wall time that ran out
cat >pbs.csv <<'CSV'
n,nb,walltime,Exit_status,Resource_List.walltime
1,1,00:02:00,0,01:00:00
1,2,,-29,01:00:00
1,3,,139,01:00:00
CSV
"$lemnos" ingest pbs.csv --app pbs $application --target walltime
"$lemnos" runs --kb a.kb --app pbs --format csv | cut -d, -f5,8
# an application with a definition: the unit of a clock is not assumed
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,Elapsed,State\n%s\n%s\n' \
	64,64,50,2,2,4,10,3,00:00:03,COMPLETED 64,64,50,2,2,4,10,6,,FAILED >sweep.csv
"$lemnos" ingest sweep.csv --app sweep3d --kb a.kb --machine box
