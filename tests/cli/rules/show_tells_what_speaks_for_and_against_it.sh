cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
$lemnos rules show 1 --limit 2 --kb kb
echo "---"
$lemnos rules show abcd00000002 --limit 1 --kb kb
echo "---"
$lemnos rules show 7e00 --limit 1 --kb kb
echo "---"
$lemnos rules show 1 --limit 1 --format json --kb kb | jq 'del(.rule)'
$lemnos rules show 2 --format csv --kb kb | wc -l
