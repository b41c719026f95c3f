echo "-- definitions"
mkdir definitions && cd definitions || exit
cp "$mined" a.kb
export LEMNOS_KB=a.kb
"$lemnos" recommend --problem 100x100x100 --deadline 1h >answer
id=$(sed -n 's/.*lemnos explain //p' answer)
sed 's/title = ".*"/title = "another one"/' "$data/machines/sp2like.conf" >m.conf
"$lemnos" machines add m.conf --quiet >/dev/null
"$lemnos" explain "$id" | sed -n '/^changed/,$p'
echo "--- the application, too"
sed 's/title = ".*"/title = "another one"/' "$data/applications/sweep3d.conf" >a.conf
"$lemnos" apps add a.conf --quiet >/dev/null
"$lemnos" explain "$id" | sed -n '/^changed/,$p'
"$lemnos" explain "$id" --format json | grep '"definitions"'
echo "--- put back"
"$lemnos" machines add "$data/machines/sp2like.conf" --quiet >/dev/null
"$lemnos" apps add "$data/applications/sweep3d.conf" --quiet >/dev/null
"$lemnos" explain "$id" | tail -1
cd ..

echo "-- facts"
mkdir facts && cd facts || exit
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
cd ..
