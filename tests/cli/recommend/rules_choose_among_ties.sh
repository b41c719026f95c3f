# Two made-up rules about the block of angles, which cannot both be followed. On two processes of the
# measured machine mmi 6 is predicted to be the fastest and mmi 3 to be tied with it.
cp "$mined" a.kb
sqlite3 a.kb "PRAGMA foreign_keys = ON; UPDATE rule_set SET sha256 = NULL; DELETE FROM rule;
INSERT INTO rule (rule_set_id, position, rule_id, kind, machine, condition, setting, within, text,
	on_model, n_runs, n_configurations, n_cases, n_problems, n_machines, n_measured, n_simulated,
	n_modelled)
SELECT rule_set_id, position, rule_id, 'setting', 'local-2core', 'procs > 1', setting, 0.04,
	'made up', 0, 10, 10, 10, 3, 1, 0, 10, 0
FROM rule_set JOIN machine USING (machine_id),
	(SELECT 0 AS position, 'aaaa11112222' AS rule_id, 'mmi = 3' AS setting
	UNION ALL SELECT 1, 'bbbb11112222', 'mmi = 6')
WHERE machine.name = 'local-2core'"
ask() {
	echo "-- $1"
	"$lemnos" recommend --verbose --kb a.kb --machine local-2core --problem 64x64x64 --objective time >answer
	sed -n '/^rules/,/^$/p' answer | sed -E 's/among [0-9]+/among N/; s/within [0-9.]+/within P/
		s/for [0-9]+ nodes?,.*/for .../'
	sed -nE 's/.*lemnos explain (.*)/\1/p' answer >>ids
	sed -n 's/^Submit.*, mmi/recommended: mmi/p' answer
}
decide() { LEMNOS_USER=ann "$lemnos" rules "$@" --kb a.kb --machine local-2core --quiet >/dev/null; }

ask 'nobody decided yet'
decide accept aaaa
ask 'one is accepted'
decide accept bbbb
decide refuse aaaa
ask 'the other is accepted, and this one refused'
decide refuse bbbb
ask 'both are refused'
decide undo aaaa bbbb --yes
decide undo aaaa bbbb --yes
ask 'all is taken back'

echo '-- as many answers as there were different judgements, the last is the first'
sort -u ids | wc -l
sed -n '1p;$p' ids | sort -u | wc -l
echo '-- explain knows that the rules are judged differently today'
"$lemnos" explain --kb a.kb "$(sed -n 2p ids)" | sed -nE '/^rules/,/^$/s/^  (accepted .*|for .*)/\1/p;/^  rule /p;/^because/p'
"$lemnos" explain --kb a.kb "$(sed -n 1p ids)" | tail -1

echo '-- as JSON, one accepted'
decide accept aaaa
"$lemnos" recommend --verbose --kb a.kb --machine local-2core --problem 64x64x64 --objective time --format json >a.json
sqlite3 :memory: "SELECT replace(fullkey, '\$.evidence.', '') AS key, type,
	iif(key IN ('within', 'configurations') OR path LIKE '%instead_of%', '', value)
FROM json_tree(readfile('a.json'), '\$.evidence')
WHERE fullkey LIKE '%rule%' AND type NOT IN ('object', 'array') AND key != 'rules_identity'"
