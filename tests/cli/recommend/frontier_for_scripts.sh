cp "$mined" a.kb
ask() { "$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 5m --frontier --format "$1"; }
ask json >a.json
echo '-- from the fewest nodes on, always faster and always dearer'
jq -c '.frontier | [length > 1,
	([.[].nodes] | . == (sort | unique)), ([.[].node_hours] | . == (sort | unique)),
	([.[].predicted_s] | reverse | . == (sort | unique))]' a.json
echo '-- one knee, the least time * node-hours; at most one is recommended'
jq -c '.frontier | [([.[] | select(.knee)] | length),
	(min_by(.predicted_s * .node_hours) | .knee), ([.[] | select(.recommended)] | length < 2)]' a.json
echo '-- feasible is what has the confidence'
jq -c '[.frontier[] | .feasible == (.p_meet >= 0.9)] | unique' a.json
echo '-- nothing in the answer beats a point of it'
jq -c '[.frontier[] as $p | (.alternatives[], .recommendation) |
	.predicted_s < $p.predicted_s and .node_hours < $p.node_hours] | any' a.json
echo '-- members'
jq -c '.frontier[0] | keys_unsorted' a.json
jq -c '.request.frontier' a.json
echo '-- CSV is the frontier'
ask csv >a.csv
head -n 1 a.csv
[ "$(tail -n +2 a.csv | wc -l)" -eq "$(jq '.frontier | length' a.json)" ] && echo as many rows as points
echo '-- who does not ask gets none'
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 5m --format json |
	jq -c '[has("frontier"), (.request | has("frontier"))]'
echo '-- a budget counts like a deadline'
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 5m --budget 1.9nh --frontier \
	--format json | jq -c '[.frontier[] | .feasible == (.p_meet >= 0.9 and .p_budget >= 0.9)] | unique'
"$lemnos" recommend --kb a.kb --problem 280x280x255 --budget 1.9nh --frontier >a.txt
grep -c '^\(knee, \)\?over budget ' a.txt | sed 's/[1-9][0-9]*/some/'
grep 'R recommended' a.txt
