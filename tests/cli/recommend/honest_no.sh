cp "$mined" a.kb
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 5s --format json >a.json
echo "exit status $?"
sqlite3 :memory: "
SELECT key, type FROM json_each(readfile('a.json'));
SELECT key, type FROM json_each(readfile('a.json'), '\$.best_effort');
SELECT 'reason', substr(json_extract(readfile('a.json'), '\$.reason'), 1, 8)"
# The deadline it names can be met.
can=$(sed -n 's/.*"feasible_deadline_s": \(.*\),/\1s/p' a.json)
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline "$can" --format csv | cut -d , -f 2-3 | sed -n 2p
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 5s >text
status=$?
sed -n 's/^\(No: none of\|best effort:\|deadline that could be met:\).*/\1/p' text
exit $status
