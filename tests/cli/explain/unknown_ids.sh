cp "$mined" a.kb
"$lemnos" explain --kb a.kb 0123456789ab
"$lemnos" explain --kb a.kb 01
"$lemnos" explain --kb a.kb
"$lemnos" explain --kb a.kb 0123 4567
sqlite3 a.kb "INSERT INTO advice SELECT '01234567', 'now', '{}', 'no json', 'x', NULL"
"$lemnos" explain --kb a.kb 0123
"$lemnos" explain --kb a.kb
sqlite3 a.kb "INSERT INTO advice SELECT '98765432', 'now', '{}', 'no json', 'x', NULL"
"$lemnos" explain --kb a.kb
