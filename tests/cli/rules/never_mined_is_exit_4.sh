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
