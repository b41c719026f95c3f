# They do not say what they were made from.
cp "$mined" a.kb
"$lemnos" recommend --kb a.kb --problem 100x100x100 --deadline 1h >answer
id=$(sed -n 's/.*lemnos explain //p' answer)
sqlite3 a.kb "UPDATE advice SET first_run_id = NULL, answer = json_remove(answer, '$.evidence.versions')"
"$lemnos" explain --kb a.kb "$id" | tail -1
"$lemnos" machines show sp2like --kb a.kb >/dev/null
"$lemnos" runs exclude 1500 --why "a test" --kb a.kb >/dev/null
"$lemnos" explain --kb a.kb "$id" | sed -n '/^changed/,/mine/p'
echo "--- of another version"
sqlite3 a.kb "UPDATE advice SET answer = json_set(answer, '$.evidence.versions', json('{\"predictor\": 0}'))"
"$lemnos" runs include 1500 --kb a.kb >/dev/null
"$lemnos" explain --kb a.kb "$id" | sed -n '/^changed/,/program/p' | sed 's/version [0-9]*,/version N,/'
echo "--- no answer of ours"
sqlite3 a.kb "UPDATE advice SET answer = '{}'"
"$lemnos" explain --kb a.kb "$id" 2>&1 | sed "s/$id/ID/"
