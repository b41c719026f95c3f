cp "$mined" a.kb
"$lemnos" recommend --kb a.kb --problem 280x280x255 --deadline 1h >answer
id=$(sed -n 's/.*lemnos explain //p' answer)
"$lemnos" runs exclude 1500 --why "a test" --kb a.kb >/dev/null || "$lemnos" runs exclude --help
"$lemnos" explain --kb a.kb "$id" | tail -1
"$lemnos" explain --kb a.kb "$id" --format json | grep current
