# A rule of the machine and one of all machines that say the same are one line.
cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
$lemnos rules --kb kb
echo "--- by kind, by column, by state"
$lemnos rules list --kind setting --kb kb
$lemnos rules --column mk --kb kb
$lemnos rules --column k_block --limit 1 --kb kb
$lemnos rules --column nosuch --kb kb
$lemnos rules --state accepted --kb kb
$lemnos rules --kind slow --kb kb
echo "--- another machine"
$lemnos rules --machine iblike --kb kb
