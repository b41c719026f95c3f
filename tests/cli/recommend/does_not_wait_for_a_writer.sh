cp "$mined" a.kb
mkfifo go
sqlite3 a.kb 'BEGIN IMMEDIATE;' '.shell echo locked >go' '.shell sleep 20' &
read -r _ <go
timeout 10 "$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h 2>err | head -c 7
echo
grep -c 'warning: this answer could not be remembered' err
kill %1 2>/dev/null || kill $!
