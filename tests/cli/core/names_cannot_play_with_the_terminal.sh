# U+202E writes the rest of a line backwards, ESC [31m colours it.
name=$(printf 'a\342\200\256b\033[31mc.kb')
"$lemnos" init --kb "$name"
"$lemnos" status --kb "$name" | sed '1s/(.*/(.../'

echo '--- control characters in data do not reach the terminal'
esc=$(printf '\033')
printf 'machine = { name = "m"; title = "red %s[31m"; };\n' "$esc" >m.conf
"$lemnos" machines add m.conf --kb a.kb
"$lemnos" machines --kb a.kb
"$lemnos" machines show "x$esc[2J" --kb a.kb
"$lemnos" machines --kb a.kb --format json | grep title
