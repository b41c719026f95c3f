cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
$lemnos runs exclude 1450 --why "a broken node" --kb kb
$lemnos rules --limit 1 --kb kb
$lemnos rules --format json --kb kb 2>/dev/null | jq .stale
