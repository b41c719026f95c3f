esc=$(printf '\033')
printf 'machine = { name = "m"; title = "red %s[31m"; };\n' "$esc" >m.conf
"$lemnos" machines add m.conf --kb a.kb
"$lemnos" machines --kb a.kb
"$lemnos" machines show "x$esc[2J" --kb a.kb
"$lemnos" machines --kb a.kb --format json | grep title
