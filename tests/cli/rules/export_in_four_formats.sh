cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
$lemnos rules refuse 3 --kb kb >/dev/null
$lemnos rules export --kb kb
$lemnos rules export --format sql --kb kb | tee rules.sql
echo "--- as sqlite3 counts"
sqlite3 kb <rules.sql | wc -l
$lemnos rules export --format csv --column mk --kb kb | cut -d, -f1-4
$lemnos rules export --format json --kb kb | jq '.rules | length'
$lemnos rules export --format table --kb kb
