cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
sqlite3 kb "UPDATE rule SET caveat = 'it_g' || char(27) || '[2J' WHERE rule_id = 'abcd00000001'"
LEMNOS_USER=$(printf 'eve\033[2J') $lemnos rules refuse 1 --why "$(printf '"; \033]0;x\007')" --kb kb
LEMNOS_USER=$(printf 'eve\033[2J') $lemnos rules undo 1 --kb kb
$lemnos rules show 1 --kb kb | grep -E 'it_g|eve|\]0'
echo "--- levels with quotes, line breaks and escapes"
printf 'app,machine,n,layout,t\n' >runs.csv
for i in 1 2 3 4 5 6 7 8; do
	printf "l,m,%s,\"it's \033[2J\n--\",%s.5\nl,m,%s,\"say \"\"hi\"\"\",%s\n" $i $i $i $i >>runs.csv
done
$lemnos ingest runs.csv --app l --target t --problem n --tunable layout --categorical layout \
	--machine m --kb kb >/dev/null
sqlite3 kb "INSERT INTO rule_set SELECT NULL, application_id, machine_id,
	substr(hex(zeroblob(32)), 1, 64), 1, NULL FROM application a, machine m
	WHERE a.name = 'l' AND m.name = 'm';
INSERT INTO data_profile SELECT rule_set_id, 16, 16, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ''
	FROM rule_set ORDER BY 1 DESC LIMIT 1;
INSERT INTO rule (rule_set_id, position, rule_id, kind, machine, condition, text, on_model, n_runs,
	n_configurations, n_cases, n_problems, n_machines, n_measured, n_simulated, n_modelled, effect)
SELECT rule_set_id, 0, 'aaaa00000001', 'choice', 'm', 'layout = ''it''''s ' || char(27) || '[2J' ||
	char(10) || '--''', '', 0, 8, 8, 8, 8, 1, 8, 0, 0, 1.2 FROM rule_set ORDER BY 1 DESC LIMIT 1"
$lemnos rules --app l --machine m --kb kb 2>/dev/null
$lemnos rules show 1 --app l --machine m --limit 1 --kb kb 2>/dev/null
$lemnos rules export --app l --machine m --kb kb 2>/dev/null
echo "--- SQL is exact"
$lemnos rules export --format sql --app l --machine m --kb kb 2>/dev/null >rules.sql
sqlite3 kb <rules.sql | wc -l
echo "--- why a prediction is not between the runs"
printf 'n,nodes,solver,t\n' >small.csv
for n in 100 200 400 800 1600; do
	for nodes in 1 2 4; do
		printf '%s,%s,a,%s\n%s,%s,b,%s\n' $n $nodes $((n / nodes + 1)) $n $nodes $((n / nodes + 2))
		[ $n -gt 200 ] || printf '%s,%s,"evil\033[2J\nx",%s\n' $n $nodes $((n / nodes + 3))
	done
done >>small.csv
$lemnos ingest small.csv --app s --target t --problem n --tunable solver --machine s --kb kb >/dev/null 2>&1
$lemnos mine --app s --kb kb >/dev/null
$lemnos predict --app s --machine s --problem n=1600 --nodes 2 --kb kb \
	--set "solver=$(printf 'evil\033[2J\nx')" 2>&1 | grep support
