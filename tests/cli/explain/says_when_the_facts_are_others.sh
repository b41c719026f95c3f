cp "$mined" a.kb
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h >answer
id=$(sed -n 's/.*lemnos explain //p' answer)
"$lemnos" runs exclude 1500 --why "a test" --kb a.kb >/dev/null
"$lemnos" explain --kb a.kb "$id" | sed -n '/^changed/,/mine/p'
"$lemnos" explain --kb a.kb "$id" --format json | grep current
echo "--- included again: nothing has changed"
"$lemnos" runs include 1500 --kb a.kb >/dev/null
"$lemnos" explain --kb a.kb "$id" | tail -1
echo "--- a run that counts again left no record"
"$lemnos" runs exclude 1500 --why "a test" --kb a.kb >/dev/null
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h >answer
id=$(sed -n 's/.*lemnos explain //p' answer)
"$lemnos" runs include 1500 --kb a.kb >/dev/null
"$lemnos" explain --kb a.kb "$id" | sed -n '/^changed/,$p'
