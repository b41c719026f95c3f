cp "$mined" a.kb
export LEMNOS_KB=a.kb
"$lemnos" recommend --problem 100x100x100 --deadline 1h >answer
id=$(sed -n 's/.*lemnos explain //p' answer)
sed 's/title = ".*"/title = "another one"/' "$data/machines/sp2like.conf" >m.conf
"$lemnos" machines add m.conf --quiet >/dev/null
"$lemnos" explain "$id" | sed -n '/^changed/,$p'
echo "--- the class, too"
sed 's/title = ".*"/title = "another one"/' "$data/applications/sweep3d.conf" >a.conf
"$lemnos" apps add a.conf --quiet >/dev/null
"$lemnos" explain "$id" | sed -n '/^changed/,$p'
"$lemnos" explain "$id" --format json | grep '"definitions"'
echo "--- put back"
"$lemnos" machines add "$data/machines/sp2like.conf" --quiet >/dev/null
"$lemnos" apps add "$data/applications/sweep3d.conf" --quiet >/dev/null
"$lemnos" explain "$id" | tail -1
