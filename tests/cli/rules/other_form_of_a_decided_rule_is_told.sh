# Mining finds the rule again with another limit, and loses one.
cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
$lemnos rules refuse 1 2 --yes --kb kb >/dev/null
sqlite3 kb "UPDATE rule SET rule_id = 'f00000000009', condition = 'procs >= 32 and k_blocks <= 8'
	WHERE rule_id = 'abcd00000001'; DELETE FROM rule WHERE rule_id = 'abcd00000002'"
$lemnos rules --kb kb
$lemnos rules show f000 --kb kb | head -n 5
$lemnos rules --format json --kb kb | jq -c '.rules[] | [.id, .state, .look_again.rule_id]'
echo "--- decided upon, it is like any other"
$lemnos rules refuse f000 --kb kb
$lemnos rules --state refused --kb kb
echo "--- the lost one"
$lemnos rules show abcd00000002 --kb kb
$lemnos rules undo abcd00000002 --kb kb
$lemnos rules undo abcd00000002 --kb kb
echo "status $?"
