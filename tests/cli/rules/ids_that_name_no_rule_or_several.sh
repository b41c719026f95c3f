cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
for id in abcd 99 0 beef 12345 abc nonsense abcd000000012 ''; do
	$lemnos rules show "$id" --kb kb
	echo "status $?"
done
$lemnos rules refuse beef00000000 --kb kb
echo "status $?"
$lemnos rules undo beef00000000 --kb kb
echo "status $?"
$lemnos rules note 1 '' --kb kb
echo "status $?"
