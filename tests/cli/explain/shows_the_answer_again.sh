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
