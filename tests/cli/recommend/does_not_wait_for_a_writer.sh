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
