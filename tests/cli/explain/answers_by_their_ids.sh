echo "-- unknown ids"
mkdir unknown_ids && cd unknown_ids || exit
cp "$mined" a.kb
"$lemnos" explain --kb a.kb 0123456789ab
"$lemnos" explain --kb a.kb 01
"$lemnos" explain --kb a.kb
"$lemnos" explain --kb a.kb 0123 4567
sqlite3 a.kb "INSERT INTO advice SELECT '01234567', 'now', '{}', 'no json', 'x', NULL"
"$lemnos" explain --kb a.kb 0123
"$lemnos" explain --kb a.kb
sqlite3 a.kb "INSERT INTO advice SELECT '98765432', 'now', '{}', 'no json', 'x', NULL"
"$lemnos" explain --kb a.kb
echo "exit status $?"
cd ..

echo "-- the answer again"
mkdir the_answer_again && cd the_answer_again || exit
cp "$mined" a.kb
"$lemnos" recommend --verbose --kb a.kb --problem 280x280x255 --deadline 1h >answer
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h --format json >answer.json
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h --format csv >answer.csv
id=$(sed -n 's/.*lemnos explain //p' answer)
"$lemnos" explain --kb a.kb "$id" >again
sed -n 1p again | sed "s/$id/ID/"
# its first lines, down to the nearest runs, are those of the answer
sed -n '/^nearest/q;p' answer >a
sed -n '3,${/^nearest/q;p}' again | cmp a -
grep -c 'Held-out runs' again
tail -1 again
short=$(echo "$id" | cut -c 1-6)
"$lemnos" explain --kb a.kb "$short" --format csv | cmp - answer.csv
"$lemnos" explain --kb a.kb --format csv | cmp - answer.csv
"$lemnos" explain --kb a.kb "$short" --format json >again.json
sqlite3 :memory: "SELECT json_extract(readfile('again.json'), '\$.answer') = json(readfile('answer.json'))"
cd ..

echo "-- a what if"
mkdir a_what_if && cd a_what_if || exit
# A what if rests on the runs of the other machine.
cp "$mined" a.kb
export LEMNOS_KB=a.kb
"$lemnos" recommend --problem 100x100x100 --deadline 1h --machine sp2 --like sp2like --wg-factor 2.5 >answer
id=$(sed -n 's/.*lemnos explain //p' answer)
"$lemnos" explain "$id" | tail -1
run=$("$lemnos" runs --quiet --machine sp2like --limit 1 --format csv | sed -n 2p | cut -d, -f1)
"$lemnos" runs exclude "$run" --why spoilt --quiet >/dev/null
"$lemnos" explain "$id" | sed -n '/^changed/,$p'
cd ..
