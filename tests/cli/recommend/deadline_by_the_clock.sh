# Between 18:00 asked at 16:25 and a deadline of 1h35m is no difference but in what was asked.
cp "$mined" a.kb
export LEMNOS_NOW=2026-11-21T16:25
ask() { "$lemnos" recommend --kb a.kb --problem 280x280x255 "$@"; }
choice() { sqlite3 :memory: "SELECT json_extract(readfile('$1'), '\$.recommendation')"; }
ask --by 18:00 --format json >clock
ask --deadline 1h35m --format json >time
choice clock >a
choice time >b
cmp a b
sqlite3 :memory: "SELECT key, value FROM json_each(readfile('clock'), '\$.request')
WHERE key IN ('by', 'asked_at', 'deadline_s')"
echo '--- people are told which day, and explain tells it again'
ask --by 7:30 | grep '^deadline'
lemnos_id=$(sqlite3 :memory: "SELECT json_extract(readfile('clock'), '\$.id')")
LEMNOS_NOW='' "$lemnos" explain --kb a.kb "$lemnos_id" | grep '^deadline'
echo '--- the same words later are another question'
LEMNOS_NOW=2026-11-21T16:26 ask --by 18:00 --format json | grep -c "$lemnos_id"
echo '--- what cannot be'
for by in 6pm 2h 24:00 2026-11-21T16:25 2026-02-29T10:00 ''; do
	ask --by "$by" 2>&1
done
ask --by 18:00 --deadline 1h 2>&1
LEMNOS_NOW=yesterday ask --by 18:00 2>&1
echo "exit status $?"
