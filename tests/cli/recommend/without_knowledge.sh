ask() { "$lemnos" recommend --kb "$1" --problem 280x280x255 --deadline 1h 2>&1; echo "exit status $?"; }
ask none.kb
"$lemnos" init --kb empty.kb --quiet
ask empty.kb
cp "$loaded" a.kb
ask a.kb
"$lemnos" machines default - --kb a.kb
ask a.kb
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h --machine nowhere
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h --machine sp2
# runs that are there, none of which ended
printf 'n,time\n1,FAIL\n2,FAIL\n3,FAIL\n' >failed.csv
"$lemnos" ingest failed.csv --kb f.kb --app all --machine m --target time --problem n --quiet
"$lemnos" recommend --kb f.kb --app all --machine m --problem n=2 --deadline 1h
# another machine has some that did, but no formula that goes over
printf 'n,time\n1,1.5\n2,3\n3,4.5\n' >good.csv
"$lemnos" ingest good.csv --kb f.kb --app all --machine other --quiet
"$lemnos" recommend --kb f.kb --app all --machine m --problem n=2 --deadline 1h
