cp "$mined" a.kb
sqlite3 a.kb "INSERT INTO advice VALUES ('0', '', '', '', '', 1); CREATE UNIQUE INDEX not_today ON advice ((1))"
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h | head -c 7
echo
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h >/dev/null
echo "exit status $?"
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 5s >/dev/null
