cp "$mined" a.kb
ask() { "$lemnos" recommend --verbose --kb a.kb --problem 80x80x50 "$@"; }
get() { sqlite3 :memory: "SELECT json_extract(readfile('$1'), '\$.$2')"; }
echo '--- the best by the objective, and what each one said, which is what it says alone'
ask --machine iblike,sp2like --deadline 1h --format json >both
ask --machine sp2like --deadline 1h --format json >one
get both recommendation.machine
get both request.machine
get both request.machines
sqlite3 :memory: "SELECT count(*) > 10 AND min(json_extract(m.value, '\$.' || k.key) = k.value)
FROM json_each(readfile('both'), '\$.machines') AS m, json_each(readfile('one'), '\$.recommendation') AS k
WHERE m.value ->> 'machine' = 'sp2like'"
echo '--- any: all with runs'
ask --machine any --objective time --format csv | cut -d, -f2-4 | sort
echo '--- people see the table and the reasons'
ask --machine any --deadline 250ms | grep -E '^(Submit|machines|machine |sp2|ib|local|  [a-z0-9-]*: none)' |
	sed 's/\(Submit on [a-z]*\):.*/\1/; s/   .*//; s/250 ms with.*/.../'
echo '--- explain shows it again'
ask --machine any --deadline 250ms >said
"$lemnos" explain --kb a.kb "$(sed -n 's/.*lemnos explain //p' said)" | grep -c '^machines'
echo '--- none can: the honest no names the nearest'
ask --machine local-2core,sp2like --deadline 1ms --format json >no
echo "exit status $?"
sqlite3 :memory: "SELECT d, d = (SELECT min(value ->> 'feasible_deadline_s') FROM json_each(a, '\$.machines'))
FROM (SELECT readfile('no') AS a, json_extract(readfile('no'), '\$.feasible_deadline_s') AS d)" | cut -d'|' -f2
ask --machine local-2core,sp2like --deadline 1ms | sed 's/: none of.*/: none of .../' | head -n 1
echo '--- a machine that cannot answer says why; a name that there is not is a mistake'
ask --machine iblike,sp2 --deadline 1h --format json >some
sqlite3 :memory: "SELECT value ->> 'feasible', value ->> 'machine', value ->> 'reason'
FROM json_each(readfile('some'), '\$.machines')"
ask --machine sp2,sp2-c --deadline 1h 2>&1
ask --machine iblike,nowhere --deadline 1h 2>&1 | sed 's/; there is:.*//'
ask --machine iblike,,sp2like --deadline 1h 2>&1
ask --machine any --deadline 1h --mk 999 2>&1
ask --machine any --deadline 1h --like sp2like 2>&1
echo '--- twice the same is once, and a machine may be called a,b'
ask --machine iblike,iblike --deadline 1h --format csv | wc -l
sed -n '1p;2,60p' "$data/runs/simulated_iblike.csv" | sed 's/^iblike,/"a,b",/' >ab.csv
"$lemnos" ingest --kb a.kb --quiet --machine a,b ab.csv >/dev/null 2>&1
ask --machine a,b --deadline 1h 2>&1 | sed 's/[0-9][0-9]* runs/N runs/'
echo '--- new runs on one of them make it another answer'
ask --machine iblike,sp2like --deadline 1h --format json | grep -c "$(get both id)"
run=$("$lemnos" runs list --kb a.kb --quiet --machine sp2like --limit 1 --format csv | sed -n 2p | cut -d, -f1)
"$lemnos" runs exclude --kb a.kb --quiet "$run" --why spoilt >/dev/null 2>&1
ask --machine iblike,sp2like --deadline 1h --format json | grep -c "$(get both id)"
echo '--- which explain notices'
"$lemnos" explain --kb a.kb "$(get both id)" | sed -n '/^changed/,$p'
