cp "$mined" kb
for what in profile effects hypotheses rankings; do
	echo "--- $what"
	$lemnos rules $what --format csv --kb kb | head -n 1
	$lemnos rules $what --format json --kb kb | jq -c keys_unsorted
	$lemnos rules $what --kb kb >table && [ -s table ] && echo "a table for people"
done
$lemnos rules effects --format sql --kb kb
