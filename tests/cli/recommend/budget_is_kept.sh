cp "$mined" a.kb
ask() { "$lemnos" recommend --verbose --kb a.kb --problem 280x280x255 "$@"; }
get() { sqlite3 :memory: "SELECT json_extract(readfile('$1'), '\$.$2')"; }
echo '--- alone it asks for the fastest within it, and is kept with the confidence'
ask --budget 2nh --format json >fast
get fast request.objective
sqlite3 :memory: "SELECT json_extract(value, '\$.p_budget') >= 0.9, json_extract(value, '\$.node_hours') < 2
FROM json_each(json_array(json_extract(readfile('fast'), '\$.recommendation')))"
echo '--- with more confidence it may do less'
ask --budget 1.7nh --confidence 0.5 --format json >bold
ask --budget 1.7nh --confidence 0.99 --format json >careful
sqlite3 :memory: "SELECT json_extract(readfile('bold'), '\$.recommendation.predicted_s')
	< coalesce(json_extract(readfile('careful'), '\$.recommendation.predicted_s'), 1e9)"
echo '--- the honest no names the budget that would do, and that does'
ask --budget 0.5nh --deadline 1h --format json >no
echo "exit status $?"
get no feasible_deadline_s
would=$(sqlite3 :memory: "SELECT readfile('no') -> '\$.feasible_budget_node_hours'")
ask --budget "${would}nh" --deadline 1h --format json >yes
echo "exit status $?"
ask --budget 0.5nh --deadline 1h | sed 's/[0-9.]* node-hours are/X node-hours are/
s/would do: [0-9.]*/would do: X/' | head -2
echo '--- a deadline that fails on any budget'
ask --budget 100nh --deadline 1s | sed 's/: [0-9.]* s is/: X s is/' | head -1
echo '--- the probability of each choice is shown only where a budget was given'
ask --budget 2nh | grep -c 'in budget'
ask --budget 2nh --format csv | head -1
ask --deadline 1h --format csv | head -1
echo '--- what is no budget'
for budget in 200 30m 200ch 0nh; do
	ask --budget $budget 2>&1
done
ask --budget 200nh --objective nodes 2>&1
