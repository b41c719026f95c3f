# A what if rests on the runs of the other machine.
cp "$mined" a.kb
export LEMNOS_KB=a.kb
"$lemnos" recommend --problem 100x100x100 --deadline 1h --machine sp2 --like sp2like --wg-factor 2.5 >answer
id=$(sed -n 's/.*lemnos explain //p' answer)
"$lemnos" explain "$id" | tail -1
run=$("$lemnos" runs --quiet --machine sp2like --limit 1 --format csv | sed -n 2p | cut -d, -f1)
"$lemnos" runs exclude "$run" --why spoilt --quiet >/dev/null
"$lemnos" explain "$id" | sed -n '/^changed/,$p'
