cp "$loaded" a.kb
"$lemnos" machines show sp2 --kb a.kb
"$lemnos" machines show sp2 --kb a.kb --format json
"$lemnos" machines show sp2like --definition --kb a.kb | sed 's/name = "sp2like"/name = "other"/' >other.conf
"$lemnos" machines check other.conf
"$lemnos" machines add other.conf --kb a.kb
"$lemnos" machines --kb a.kb --format csv | cut -d , -f 1-4
"$lemnos" machines remove other --kb a.kb
"$lemnos" machines remove sp2like --kb a.kb
cp "$mined" b.kb
"$lemnos" machines show sp2like --kb b.kb | sed -n '/^messages/,$p' | cut -c 1-12
