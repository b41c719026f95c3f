cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
$lemnos rules accept 1 2 --kb kb
echo "status $?"
echo "--- all or none"
$lemnos rules accept 1 99 --yes --kb kb
echo "status $?"
$lemnos rules --state accepted --kb kb
$lemnos rules accept 1 2 --yes --why checked --kb kb
$lemnos rules refuse 2 2 --yes --kb kb
