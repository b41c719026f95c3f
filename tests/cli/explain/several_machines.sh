# Of several machines asked, the answer names the best; it may be another one today.
cp "$mined" a.kb
export LEMNOS_KB=a.kb
"$lemnos" recommend --problem 150x150x150 --objective time --machine iblike,sp2like >answer
id=$(sed -n 's/.*lemnos explain //p' answer)
"$lemnos" explain "$id" | tail -1
echo "--- runs of the other one"
run=$("$lemnos" runs --quiet --machine sp2like --limit 1 --format csv | sed -n 2p | cut -d, -f1)
"$lemnos" runs exclude "$run" --why spoilt --quiet >/dev/null
"$lemnos" explain "$id" | sed -n '/^changed/,$p'
"$lemnos" runs include "$run" --quiet >/dev/null
"$lemnos" explain "$id" | tail -1
echo "--- the best one is gone"
for i in $("$lemnos" imports --format csv | grep iblike | cut -d, -f1); do
	"$lemnos" imports undo "$i" >/dev/null
done
"$lemnos" explain "$id" | sed -n '/^changed/,$p' | sed 's/:.*//'
