# The SQL of every rule returns as many runs as the rule says.
cp "$mined" kb
$lemnos rules --format json --kb kb >rules.json
jq -c 'keys_unsorted, .format_version, .stale' rules.json
jq -r '.rules[0] | keys_unsorted | .[:11] | join(" ")' rules.json
jq -c '.rules | map(.usefulness) | . == (sort | reverse)' rules.json
jq -r '.rules[] | "\(.n_runs)\t\(.sql)"' rules.json | while IFS="$(printf '\t')" read -r n sql; do
	[ "$(sqlite3 kb "$sql" | wc -l)" -eq "$n" ] || echo "not $n runs: $sql"
done
[ "$(jq '.rules | length' rules.json)" -gt 0 ] && echo "counted"
echo "--- one planted"
sqlite3 kb <"$cases/rules/planted.sql"
$lemnos rules --kind time --format json --kb kb
$lemnos rules --format csv --kb kb | cut -d, -f1-4
$lemnos rules --format sql --kb kb
