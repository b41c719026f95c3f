echo "-- twenty and how many there are"
mkdir twenty_and_how_many_there_are && cd twenty_and_how_many_there_are || exit
cp "$loaded" a.kb
"$lemnos" runs --kb a.kb --machine sp2like
"$lemnos" runs --kb a.kb --machine sp2like --limit 1 --quiet
cd ..

echo "-- conditions"
mkdir conditions && cd conditions || exit
cp "$loaded" a.kb
"$lemnos" runs --where 'status = ok and machine = sp2like' --kb a.kb
"$lemnos" runs --where "machine = sp2like" --kb a.kb
"$lemnos" runs --kb a.kb --where "procs = 64 and kt % mk = 0 and wall_s < 20" --machine sp2like
"$lemnos" runs --kb a.kb --where "procs = 63"
"$lemnos" runs --kb a.kb --where "prcs = 64"
"$lemnos" runs --kb a.kb --where "procs ="
"$lemnos" runs --kb a.kb --machine nowhere
echo "exit status $?"
cd ..
