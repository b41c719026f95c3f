cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
$lemnos rules refuse 1 --why "an old compiler" --kb kb
$lemnos rules refuse abcd00000001 --kb kb
$lemnos rules note 1 "measured before the \"upgrade\"" --kb kb
LEMNOS_USER=ann $lemnos rules accept 2 --kb kb
$lemnos rules --kb kb | grep -E '^ *[0-9]'
$lemnos rules show 1 --kb kb | sed -n '/^decisions/,/^$/p'
echo "--- taken back: the note, then the refusal, then there is nothing left"
$lemnos rules undo 1 --kb kb
$lemnos rules undo 1 --why "it was the linker" --kb kb
$lemnos rules undo 1 --kb kb
echo "status $?"
$lemnos rules show 1 --kb kb | sed -n '/^decisions/,/^$/p'
$lemnos rules --state accepted --format json --kb kb | jq -c '.rules[] | [.id, .state, .decision.who]'
