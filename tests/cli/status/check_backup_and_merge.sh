echo "-- check of a sound base and of a broken one"
mkdir check_of_a_sound_base_and_of_a_broken_one && cd check_of_a_sound_base_and_of_a_broken_one || exit
cp "$loaded" a.kb
"$lemnos" status check --kb a.kb
dd if=/dev/urandom of=a.kb bs=4096 seek=3 count=20 conv=notrunc 2>/dev/null
"$lemnos" status check --kb a.kb >report 2>&1
echo "exit status $?"
cd ..

echo "-- backup never overwrites"
mkdir backup_never_overwrites && cd backup_never_overwrites || exit
cp "$loaded" a.kb
"$lemnos" status backup b.kb --kb a.kb
"$lemnos" runs export --kb a.kb >a.csv
"$lemnos" runs export --kb b.kb | cmp - a.csv
"$lemnos" status backup b.kb --kb a.kb
echo "exit status $?"
cd ..

echo "-- merge brings in what is missing"
mkdir merge_brings_in_what_is_missing && cd merge_brings_in_what_is_missing || exit
"$lemnos" init --kb a.kb >/dev/null
printf 'it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,runtime_s\n50,50,50,2,2,4,10,3,3.31\n' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app sweep3d --machine mine >/dev/null
cp "$loaded" b.kb
"$lemnos" status merge b.kb --kb a.kb
"$lemnos" status merge b.kb --kb a.kb
"$lemnos" machines --kb a.kb --format csv | cut -d , -f 1,2
"$lemnos" status merge nowhere.kb --kb a.kb
echo "exit status $?"
cd ..
