# Of two rules that say nearly the same of nearly the same runs one is listed, with the other named.
# What was decided about either stays in sight.
cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
sqlite3 kb "UPDATE rule SET twin_of = 'abcd00000001', condition = 'procs >= 64 and ew_bytes >= 9000',
kind = 'choice', setting = NULL WHERE rule_id = 'abcd00000002'"
$lemnos rules --kb kb
echo "--- each names the other"
$lemnos rules show 1 --kb kb | grep twin
$lemnos rules show abcd00000002 --kb kb | grep twin
$lemnos rules --format json --kb kb >a.json
sqlite3 :memory: "SELECT value ->> 'id', value ->> 'twin_of', value ->> 'twins'
FROM json_each(readfile('a.json'), '\$.rules')"
echo "--- the twin is refused: it is listed, and the rule that stands for it waits"
$lemnos rules refuse abcd00000002 --why 'an old compiler' --kb kb
$lemnos rules --kind choice --kb kb
$lemnos rules --state refused --kb kb | sed -n 2p
echo "--- a time rule that only explains is listed once it is decided upon"
$lemnos rules accept 7e0000000003 --kb kb
$lemnos rules --state accepted --kb kb
$lemnos rules export --kb kb | cut -c 1-12
