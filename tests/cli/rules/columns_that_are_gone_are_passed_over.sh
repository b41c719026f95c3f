# An older definition had a column of this name.
cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
sqlite3 kb "UPDATE rule SET condition = 'old_column = 1' WHERE rule_id = 'abcd00000002'"
$lemnos rules --format csv --kb kb | cut -d, -f1-4
$lemnos rules export --kb kb
