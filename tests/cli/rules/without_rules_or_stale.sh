echo "-- never mined"
mkdir never_mined && cd never_mined || exit
cp "$loaded" kb
for action in '' 'show 1' 'refuse 1' export profile; do
	# shellcheck disable=SC2086 # words
	$lemnos rules $action --kb kb
	echo "status $?"
done
echo "--- mined by a program that knew no rules"
cp "$mined" kb
sqlite3 kb 'PRAGMA foreign_keys = ON; DELETE FROM rule_set'
$lemnos rules --kb kb
echo "exit status $?"
cd ..

echo "-- no rules is an answer"
mkdir no_rules_is_an_answer && cd no_rules_is_an_answer || exit
cp "$mined" kb
sqlite3 kb 'UPDATE rule_set SET sha256 = NULL; DELETE FROM rule_cost; DELETE FROM rule'
$lemnos rules --kb kb
echo "status $?"
$lemnos rules --format json --kb kb
$lemnos rules export --kb kb
sqlite3 kb 'UPDATE data_profile SET n_configurations = 3, n_cases = 3, n_problems = 3'
$lemnos rules --kb kb
cd ..

echo "-- stale knowledge is told"
mkdir stale_knowledge_is_told && cd stale_knowledge_is_told || exit
cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
$lemnos runs exclude 1450 --why "a broken node" --kb kb
$lemnos rules --limit 1 --kb kb
$lemnos rules --format json --kb kb 2>/dev/null | jq .stale
cd ..
