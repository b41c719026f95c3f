# The figures are the predictor's business; here is the form, and that text and JSON agree.
cp "$mined" a.kb
ask() { "$lemnos" recommend --verbose --kb a.kb --problem 280x280x255 "$@"; }
form() { sed -E 's/[0-9]+(d|h|m) [0-9]+(h|m|s)/TIME/g; s/[0-9.]+ (s|ms|us)/TIME/g
	s/[0-9.]+ %/P %/g; s/(probability|up to|from|to) [0-9.]+/\1 N/g; s/confidences from N to N/confidences up to N/
	s/[0-9]+ tied/N tied/; s/^[0-9]+ nodes? (is|are)/N nodes are/
	s/sensitive to .* takes/sensitive to PARAMETER takes/; s/those of .* \(/those of OTHER (/'; }
echo '-- by a deadline'
ask --objective nodes --deadline 35s >a.txt
grep -E '^(most sensitive|[0-9]+ nodes? (is|are))' a.txt | form
ask --objective nodes --deadline 35s --format json >a.json
echo '-- the step that costs most is the one named'
jq -r '.sensitivity | max_by(.ratio) | .parameter' a.json >want
sed -n 's/^most sensitive to \([^:]*\):.*/\1/p' a.txt | cmp - want && echo it is
echo '-- a deadline beyond the limits changes the number of nodes, one within does not'
nodes=$(jq .recommendation.nodes a.json)
at() { ask --objective nodes --format json --deadline "$(jq "$1" a.json)s" | jq "(.recommendation.nodes // 1e9) - $nodes | if . > 0 then \"more\" elif . < 0 then \"fewer\" else \"the same\" end"; }
at '.node_limits.deadline_from_s * 0.999'
at '.node_limits.deadline_from_s * 1.000001'
at '.node_limits.deadline_to_s * 0.999999'
at '.node_limits.deadline_to_s * 1.001'
echo '-- explain has all steps'
"$lemnos" explain --kb a.kb "$(jq -r .id a.json)" | sed -n '/^one step away/,/^$/p' >steps
[ "$(wc -l <steps)" -eq "$(jq '.sensitivity | length + 3' a.json)" ] && echo a line for each
sed -n 2p steps | tr -s ' '
echo '-- among ties'
ask --machine iblike --objective node-hours --set nodes=64 >ties.txt
grep '^chosen among' ties.txt | form | sed 's/, those of .*//'
echo '-- more than twice the time is 250 %, not 2.5e+02 %'
id=$(jq -r .id a.json)
sqlite3 a.kb "UPDATE advice SET answer = json_replace(answer, '\$.sensitivity[0].ratio', 3.5)"
"$lemnos" explain --kb a.kb "$id" | grep -o 'takes .* longer'
echo '-- and a time that differs by rounding takes as long'
sqlite3 a.kb "UPDATE advice SET answer = json_remove(json_replace(answer, '\$.sensitivity[0].ratio', 1 + 8e-13), \
	'\$.sensitivity[5]', '\$.sensitivity[4]', '\$.sensitivity[3]', '\$.sensitivity[2]', '\$.sensitivity[1]')"
"$lemnos" explain --kb a.kb "$id" | grep -o 'takes .*(' | sed -n 1p
echo '-- nothing is free'
ask --machine iblike --objective time --grid 8x8 --mk 5 --mmi 3 | grep -c '^\(most sensitive\|chosen among\)'
true
