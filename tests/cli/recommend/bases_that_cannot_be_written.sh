# The writer keeps its lock until the answer is there. Whoever waits for one says so.
cp "$mined" a.kb
mkfifo go
sqlite3 a.kb 'BEGIN IMMEDIATE;' '.shell echo locked >go' '.shell read -r _ <go' &
read -r _ <go
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h 2>err | head -c 7
echo
grep -c 'warning: this answer could not be remembered' err
grep -c waiting err
echo answered >go
wait

echo '--- base that cannot be written is a warning'
cp "$mined" a.kb
sqlite3 a.kb "INSERT INTO advice VALUES ('0', '', '', '', '', 1); CREATE UNIQUE INDEX not_today ON advice ((1))"
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h | head -c 7
echo
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h >/dev/null
echo "exit status $?"
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 5s >/dev/null
