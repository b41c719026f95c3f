cp "$mined" a.kb
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h --objective nodes --format json >a.json
sqlite3 :memory: "
SELECT fullkey, type FROM json_tree(readfile('a.json'))
WHERE path NOT LIKE '\$.alternatives%' AND path NOT LIKE '\$.evidence.runs%'
AND path NOT LIKE '\$.evidence.rule%' AND path NOT LIKE '\$.sensitivity%' AND key != 'robust_choice'
AND type NOT IN ('object', 'array');
SELECT '--- alternatives';
SELECT DISTINCT key, type FROM json_tree(readfile('a.json')) WHERE path LIKE '\$.alternatives[%'
AND type NOT IN ('object', 'array') ORDER BY 1;
SELECT '--- one step away';
SELECT DISTINCT key, type FROM json_tree(readfile('a.json')) WHERE path LIKE '\$.sensitivity[%'
AND type NOT IN ('object', 'array') ORDER BY 1;
SELECT '--- runs';
SELECT DISTINCT key, type FROM json_tree(readfile('a.json')) WHERE path LIKE '\$.evidence.runs[%'
AND type NOT IN ('object', 'array') ORDER BY 1;
SELECT '--- breakdown sums to the prediction';
SELECT abs(sum(value) / json_extract(readfile('a.json'), '\$.recommendation.predicted_s') - 1) < 1e-9
FROM json_each(readfile('a.json'), '\$.evidence.breakdown')"
