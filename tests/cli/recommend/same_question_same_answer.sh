cp "$mined" a.kb
ask() { "$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline "$1" --format json; }
ask 1h >a
ask 60m >b
ask 59m >c
cmp a b && grep -c '^  "id"' a
grep -h '^  "id"' a b c | sort -u | wc -l
sqlite3 a.kb 'SELECT count(*) FROM advice'

echo '--- called by its other name'
cp "$mined" a.kb
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h >a
LEMNOS_KB=a.kb "$recommend" --problem 280x280x255 --deadline 1h >b
cmp a b && head -c 7 a
