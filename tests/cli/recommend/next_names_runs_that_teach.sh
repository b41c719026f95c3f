# Which runs they are is the predictor's business: here is the form.
cp "$mined" a.kb
next() { "$lemnos" recommend --kb a.kb --problem 280x280x255 "$@"; }
next --objective time --next 3 --format json >a.json
id=$(sed -n 's/^  "id": "\(.*\)",/\1/p' a.json)
# explain shows them as recommend does
"$lemnos" explain --kb a.kb "$id" | sed -n '/^runs that would/,/^$/p' |
	sed -E 's/^(chance.*: )[^,]*, among [0-9]+/\1P, among N/; s/  +/  /g
		/^this answer is the right one with/d
		/^  [1-3]\. /,/\.$/d
		/^run/!s/^.*280x280x255.*%.*$/a run/' | uniq
next --objective time --next 3 --format csv >a.csv
head -n 1 a.csv
sqlite3 :memory: ".import --csv a.csv csv" "
CREATE TABLE run AS SELECT value AS v, key AS k FROM json_each(readfile('a.json'), '\$.next');
SELECT key, type FROM json_each(readfile('a.json'), '\$.decision');
SELECT '--- run';
SELECT key, type FROM json_each((SELECT v FROM run WHERE k = 0));
SELECT '--- the request asks for them, the table has as many';
SELECT json_extract(readfile('a.json'), '\$.request.next'), count(*) = (SELECT count(*) FROM csv)
FROM run;
SELECT '--- each goes on from the one before and lowers the chance';
SELECT min(v ->> 'wrong_after' < v ->> 'wrong_before'
AND v ->> 'wrong_before' = coalesce((SELECT b.v ->> 'wrong_after' FROM run b WHERE b.k = run.k - 1),
json_extract(readfile('a.json'), '\$.decision.wrong')))
FROM run"
"$lemnos" explain --kb a.kb "$id" --format csv | cmp - a.csv
"$lemnos" explain --kb a.kb "$id" | grep -c '^runs that would'

echo '--- next where nothing is to learn'
cp "$mined" a.kb
next_of_one() { "$lemnos" recommend --kb a.kb --problem 280x280x255 --mk 15 --mmi 3 --grid 1x2 "$@"; }
next_of_one --objective time --next 3 | grep '^runs that would'
next_of_one --deadline 2s --next 3 | grep '^runs that would'
next_of_one --deadline 2s --next 3 --format csv
ask() { "$lemnos" recommend --problem 280x280x255 --deadline 1h "$@"; }
ask --kb a.kb --next 0
ask --kb a.kb --next 21
ask --kb a.kb --next many
"$lemnos" init --kb empty.kb --quiet >init.out
ask --kb empty.kb --next 3
