cp "$mined" a.kb
sqlite3 a.kb "CREATE TRIGGER no INSERT ON advice BEGIN SELECT raise(ABORT, 'not today'); END"
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h | head -c 7
echo
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h >/dev/null
echo "exit status $?"
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 5s >/dev/null
