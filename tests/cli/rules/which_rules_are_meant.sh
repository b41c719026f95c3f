echo "-- ids of no rule or of several"
mkdir ids_of_no_rule_or_of_several && cd ids_of_no_rule_or_of_several || exit
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
cd ..

echo "-- several at once need yes"
mkdir several_at_once_need_yes && cd several_at_once_need_yes || exit
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
cd ..
